import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../../../platform/database/client-options.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { Blog } from '../../core/blog.schema.js';
import { SearchIndexer } from '../search/index/search-indexer.js';
import { changesOfLists, HAS_PUBLIC_CHANGES } from './public-change.js';
import { tagOf } from './list-names.js';
import type { ListRecord } from './list-record.schema.js';

/** Largest number of blogs in one transaction. */
const BATCH = 200;

type ChangedBlog = Required<Pick<Blog, '_id' | 'publicChanges'>>;

/**
 * Folds the public changes, which transitions store in their blogs, into the records of lists and spellings. A
 * transaction moves each change from its blog to the records of the lists, so it is counted once, whichever process is
 * killed. A standalone has no transactions: a process that is killed there may lose a change, which the next comparison
 * corrects.
 */
@Injectable()
export class ChangeFolding {
  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly database: DatabaseService,
    private readonly indexer: SearchIndexer,
  ) {}

  async isDue(): Promise<boolean> {
    return (await this.blogs().findOne(HAS_PUBLIC_CHANGES, { projection: { _id: 1 } })) !== null;
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
      .find(HAS_PUBLIC_CHANGES, { ...options, projection: { publicChanges: 1 }, limit: size })
      .toArray();
    if (changed.length === 0) return 0;
    const changes = changed.flatMap(({ publicChanges }) => publicChanges);
    // They may be stored again, so they are not part of the transaction.
    const spellings = new Map(changes.flatMap((change) => change.spellings ?? []));
    await this.indexer.storeSpellings([...spellings]);
    const { matchedCount } = await this.blogs().bulkWrite(
      changed.map(({ _id, publicChanges }) => ({
        updateOne: { filter: { _id, publicChanges }, update: { $unset: { publicChanges: 1 } } },
      })),
      { ...options, ordered: false },
    );
    // Without a transaction, another change may have come meanwhile. Then the next batch finds both.
    if (matchedCount === changed.length) {
      const writes = [...changesOfLists(changes)].map(([_id, { count, changedAt }]) => {
        const tag = tagOf(_id);
        const update = {
          $inc: { count },
          ...(changedAt ? { $max: { changedAt } } : {}),
          ...(tag === null ? {} : { $setOnInsert: { tag } }),
        };
        return { updateOne: { filter: { _id }, update, upsert: true } };
      });
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
