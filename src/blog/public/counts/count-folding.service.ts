import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../../../platform/database/client-options.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Blog } from '../../core/blog.schema.js';
import { changesOfLists, HAS_COUNT_CHANGES } from './count-change.js';
import { tagOf } from './list-names.js';
import type { ListRecord } from './list-record.schema.js';

/** Largest number of blogs in one transaction. */
const BATCH = 200;

type ChangedBlog = Required<Pick<Blog, '_id' | 'countChanges'>>;

/**
 * Folds the changes of counts, which transitions store in their blogs, into the records of the lists. A transaction
 * moves each change from its blog to the records, so it is counted once, whichever process is killed. A standalone
 * has no transactions: a process that is killed there may lose a change, which the next comparison corrects.
 */
@Injectable()
export class CountFolding {
  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly database: DatabaseService,
  ) {}

  async isDue(): Promise<boolean> {
    return (await this.blogs().findOne(HAS_COUNT_CHANGES, { projection: { _id: 1 } })) !== null;
  }

  /** @param signal checked between batches */
  async fold(signal?: AbortSignal): Promise<void> {
    const isReplicaSet = await this.database.isReplicaSet();
    const client = this.connection.getClient();
    for (let isMore = true; isMore && !signal?.aborted;) {
      isMore = isReplicaSet
        ? await client.withSession((session) =>
            session.withTransaction(async () => (await this.foldBatch(BATCH, session)) === BATCH),
          )
        : (await this.foldBatch(1)) === 1;
    }
  }

  /** @returns the number of blogs that were found */
  private async foldBatch(size: number, session?: ClientSession): Promise<number> {
    const options = session ? { session } : {};
    const changed = await this.blogs()
      .find(HAS_COUNT_CHANGES, { ...options, projection: { countChanges: 1 }, limit: size })
      .toArray();
    if (changed.length === 0) return 0;
    const { matchedCount } = await this.blogs().bulkWrite(
      changed.map(({ _id, countChanges }) => ({
        updateOne: { filter: { _id, countChanges }, update: { $unset: { countChanges: 1 } } },
      })),
      { ...options, ordered: false },
    );
    // Without a transaction, another change may have come meanwhile. Then the next batch finds both.
    if (matchedCount === changed.length) {
      const writes = [...changesOfLists(changed.flatMap(({ countChanges }) => countChanges))].map(
        ([_id, { count, changedAt }]) => {
          const tag = tagOf(_id);
          const update = {
            $inc: { count },
            ...(changedAt ? { $max: { changedAt } } : {}),
            ...(tag === null ? {} : { $setOnInsert: { tag } }),
          };
          return { updateOne: { filter: { _id }, update, upsert: true } };
        },
      );
      await this.lists().bulkWrite(writes, { ...options, ordered: false });
    }
    return changed.length;
  }

  private blogs(): mongo.Collection<ChangedBlog> {
    return this.db().collection('blogs');
  }

  private lists(): mongo.Collection<ListRecord> {
    return this.db().collection('lists');
  }

  private db(): mongo.Db {
    return this.connection.getClient().db(this.connection.name);
  }
}
