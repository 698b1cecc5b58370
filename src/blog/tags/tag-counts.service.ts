import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Connection, mongo, Types } from 'mongoose';
import { CacheCoherenceService } from '../../cache/cache-coherence.service.js';
import { Clock } from '../../common/clock.js';
import { OPERATION_MAX_MS } from '../../database/client-options.js';
import { isOnlyDuplicateKeys } from '../../database/is-duplicate-key.js';
import { countTags, sameCount, storedCount, type CountedTag } from './count-tags.js';
import { TAGS } from './tag.cache.js';
import type { Tag } from './tag.schema.js';

/** Milliseconds between the beginnings of two counts: during many moves, more of them share one. */
const PAUSE_MS = 25;

/** Tags that are counted at a time. */
const BATCH = 100;

/** How often tags are counted while other processes count them too. */
const ATTEMPTS = 100;

/** Moves that are remembered, until the relay has come to them. About 2 MB. */
const REMEMBERED_MAX = 10_000;

/** A move of a blog, by the revision number that it made. */
interface CountedMove {
  readonly blog: Types.ObjectId;
  readonly rev: number;
  /** The tags that it may have changed, as `tagKey` makes them. */
  readonly keys: readonly string[];
}

/** Tags that are counted next, and the end of that. */
interface Waiting {
  readonly keys: Set<string>;
  readonly done: Promise<void>;
}

/**
 * Keeps `tags` up to date. A count is derived from the blogs and may be repeated at any time, so nothing is
 * lost or counted twice, whichever process is killed: the relay counts the tags of each move that this
 * process has not counted.
 *
 * Moves at the same time share a count: one that has not begun yet covers them all. Two processes may count
 * at the same time. Each reads the versions of the records before it counts, and stores a count only if the
 * version is still the same; otherwise it counts again. So the last count that is stored began after every
 * move that it does not know of had been stored by another count.
 */
@Injectable()
export class TagCounts {
  private waiting: Waiting | null = null;
  private running: Promise<void> = Promise.resolve();
  private begunAt = -Infinity;
  private readonly counted = new LRUCache<string, true>({ max: REMEMBERED_MAX });

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * Counts the live blogs with the tags of these moves, unless this process has done so. Call it after a
   * move, before it is answered.
   */
  async refresh(moves: readonly CountedMove[]): Promise<void> {
    const missing = moves.filter((move) => !this.counted.has(nameOf(move)));
    const keys = missing.flatMap((move) => move.keys);
    if (keys.length > 0) await this.join(keys);
    for (const move of missing) this.counted.set(nameOf(move), true);
  }

  /** Joins a count that has not begun: one under way may have read the blogs before the move. */
  private join(keys: readonly string[]): Promise<void> {
    this.waiting ??= this.next();
    for (const key of keys) this.waiting.keys.add(key);
    return this.waiting.done;
  }

  private next(): Waiting {
    const keys = new Set<string>();
    const begin = async (): Promise<void> => {
      const rest = this.begunAt + PAUSE_MS - performance.now();
      if (rest > 0) await wait(rest);
      this.begunAt = performance.now();
      this.waiting = null;
      return this.countAll([...keys]);
    };
    // Those who wait for the one under way are told of its failure.
    const done = this.running.then(begin, begin);
    this.running = done;
    return { keys, done };
  }

  private async countAll(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += BATCH)
      await this.countBatch(keys.slice(at, at + BATCH));
  }

  private async countBatch(keys: readonly string[]): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const stored = await this.readStored(keys);
      const counts = await countTags(this.db(), keys);
      if (await this.store(keys, stored, counts)) return;
    }
    throw new Error('tags were counted by too many processes at the same time');
  }

  private async readStored(keys: readonly string[]): Promise<ReadonlyMap<string, Tag>> {
    const { cursor } = await this.db().command({
      find: 'tags',
      filter: { _id: { $in: keys } },
      batchSize: keys.length + 1,
      maxTimeMS: OPERATION_MAX_MS,
    });
    const { firstBatch: tags } = cursor as { readonly firstBatch: readonly Tag[] };
    return new Map(tags.map((tag) => [tag._id, tag]));
  }

  /** @returns false when another count of one of them was stored since `stored` was read */
  private async store(
    keys: readonly string[],
    stored: ReadonlyMap<string, Tag>,
    counts: readonly CountedTag[],
  ): Promise<boolean> {
    const now = this.clock.now();
    const writes = keys.flatMap((key, index): mongo.AnyBulkWriteOperation<Tag>[] => {
      const before = stored.get(key);
      const counted = counts[index] ?? null;
      if (sameCount(before, counted)) return [];
      const document = storedCount(key, counted, (before?.version ?? 0) + 1, now);
      if (!before) return [{ insertOne: { document } }];
      const filter = { _id: key, version: before.version };
      return [{ replaceOne: { filter, replacement: document } }];
    });
    if (writes.length === 0) return true;
    try {
      return await this.coherence.write([TAGS.all], async (session) => {
        const tags = this.db().collection<Tag>('tags');
        const result = await tags.bulkWrite(writes, { session, ordered: false });
        return result.matchedCount + result.insertedCount === writes.length;
      });
    } catch (error) {
      if (isOnlyDuplicateKeys(error)) return false;
      throw error;
    }
  }

  private db(): mongo.Db {
    const { db } = this.connection;
    if (!db) throw new Error('the database was asked before it was connected to');
    return db;
  }
}

function nameOf({ blog, rev }: CountedMove): string {
  return `${blog.toHexString()} ${rev}`;
}
