import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { Clock } from '../../../platform/clock.js';
import { BACKGROUND } from '../../../platform/database/client-options.js';
import {
  isDuplicateKey,
  isOnlyDuplicateKeys,
} from '../../../platform/database/is-duplicate-key.js';
import { SearchIndexer } from '../search/index/search-indexer.js';
import { changesOfLists, HAS_PUBLIC_CHANGES, type ChangedBlog } from './public-change.js';
import { tagOf } from './list-names.js';
import { FOLDING, type Folding } from './folding.schema.js';
import type { ListRecord } from './list-record.schema.js';

/** Largest number of blogs in one folding. */
const BATCH = 200;

/**
 * Folds the public changes, which transitions store in their blogs, into the records of lists and spellings
 * (docs/adr/0018).
 *
 * Each change is counted once, whichever process is killed, and also if two processes fold at the same time. The
 * record FOLDING says what the present folding adds to which list, and which changes it removes from their blogs. Every
 * step may be repeated: a record takes a folding only if its number is higher than that of the last one it took.
 */
@Injectable()
export class ChangeFolding {
  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly indexer: SearchIndexer,
    private readonly clock: Clock,
  ) {}

  async isDue(): Promise<boolean> {
    return (await this.blogs().findOne(HAS_PUBLIC_CHANGES, { projection: { _id: 1 } })) !== null;
  }

  /** @param signal checked between batches */
  async fold(signal?: AbortSignal): Promise<void> {
    let last = await this.foldings().findOne({ _id: FOLDING });
    if (last && !last.isDone) await this.finish(last);
    for (let isMore = true; isMore && !signal?.aborted;) {
      const changed = await this.blogs()
        .find(HAS_PUBLIC_CHANGES, { projection: { publicChanges: 1 }, limit: BATCH })
        .toArray();
      isMore = changed.length === BATCH;
      const next = changed.length > 0 ? await this.begin(last, changed) : null;
      // Another process has begun a folding at the same time, and goes on with it.
      if (!next) return;
      await this.finish(next);
      last = next;
    }
  }

  /** Stores spellings and the next folding. @returns null if another process has begun one */
  private async begin(
    last: Folding | null,
    changed: readonly ChangedBlog[],
  ): Promise<Folding | null> {
    const changes = changed.flatMap(({ publicChanges }) => publicChanges);
    const spellings = new Map(changes.flatMap((change) => change.spellings ?? []));
    await this.indexer.storeSpellings([...spellings]);
    const next: Folding = {
      _id: FOLDING,
      folding: Math.max((last?.folding ?? 0) + 1, this.clock.now().getTime()),
      isDone: false,
      blogs: changed.map(({ _id, publicChanges }) => ({
        _id,
        rev: Math.max(...publicChanges.map(({ rev }) => rev)),
      })),
      changes: [...changesOfLists(changes)].map(([list, change]) => ({ list, ...change })),
    };
    const filter = { _id: FOLDING, folding: last?.folding ?? 0, isDone: true } as const;
    try {
      const { matchedCount, upsertedCount } = await this.foldings().replaceOne(filter, next, {
        upsert: last === null,
      });
      return matchedCount + upsertedCount > 0 ? next : null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return null;
    }
  }

  /** Adds the changes to the records of the lists, and then removes them from their blogs. */
  private async finish({ folding, blogs, changes }: Folding): Promise<void> {
    const writes = changes.map(({ list: _id, count, changedAt }) => {
      const tag = tagOf(_id);
      const update = {
        $inc: { count },
        $set: { folding, ...(tag === null ? {} : { tag }) },
        ...(changedAt ? { $max: { changedAt } } : {}),
      };
      const filter = { _id, folding: { $not: { $gte: folding } } };
      return { updateOne: { filter, update, upsert: true } };
    });
    try {
      await this.lists().bulkWrite(writes, { ordered: false });
    } catch (error) {
      // A record that has taken this folding does not match, and cannot be inserted again.
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
    await this.blogs().bulkWrite(
      blogs.map(({ _id, rev }) => ({
        updateOne: {
          filter: { _id },
          update: { $pull: { publicChanges: { rev: { $lte: rev } } } },
        },
      })),
      { ordered: false },
    );
    await this.foldings().updateOne({ _id: FOLDING, folding }, { $set: { isDone: true } });
  }

  private blogs(): mongo.Collection<ChangedBlog> {
    return this.db().collection('blogs');
  }

  private lists(): mongo.Collection<ListRecord> {
    return this.db().collection('lists');
  }

  private foldings(): mongo.Collection<Folding> {
    return this.db().collection('foldings');
  }

  private db(): mongo.Db {
    return this.connection.getClient().db(this.connection.name);
  }
}
