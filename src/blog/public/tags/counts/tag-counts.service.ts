import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Connection, mongo, Types } from 'mongoose';
import { CacheCoherenceService } from '../../../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../../../platform/clock.js';
import { isOnlyDuplicateKeys } from '../../../../platform/database/is-duplicate-key.js';
import { countTags, positionOf, presentTime, writesOf, type CountedTag } from './count-tags.js';
import { TAGS } from './tag.cache.js';
import type { Tag } from './tag.schema.js';

/**
 * Number of tags that are counted concurrently: each takes two commands, for which the pool must
 * have connections.
 */
const BATCH = 20;

/**
 * Largest number of concurrent counts. Transitions that are made while two counts run share the
 * next count.
 */
const MAX_COUNTS = 2;

/**
 * Number of transitions that are remembered as counted, so that the outbox relay does not count
 * them again: about 2 MB.
 */
const REMEMBERED_MAX = 10_000;

/** A transition of a blog, identified by the revision number that it made. */
interface TagTransition {
  readonly blog: Types.ObjectId;
  readonly rev: number;
  /** The keys of the tags whose counts the transition may have changed, as `tagKey` makes them. */
  readonly keys: readonly string[];
}

/** The tags of the next count, and a promise for its end. */
interface NextCount {
  readonly keys: Set<string>;
  readonly done: Promise<void>;
}

/**
 * Keeps `tags` up to date. A count is derived from the blogs and may be repeated at any time, so
 * nothing is lost or counted twice, whichever process is killed: the outbox relay counts the tags
 * of each transition that this process has not counted.
 *
 * Concurrent transitions share a count, as long as the count has not begun. Two processes may count
 * at the same time, and the slower one may have begun first. So each count stores the database time
 * at which it was taken, and replaces only counts of an earlier time. A count sees every transition
 * before its time. The count with the latest time is the one that stays, and it has seen all
 * transitions.
 */
@Injectable()
export class TagCounts {
  private nextCount: NextCount | null = null;
  private readonly limit = pLimit(MAX_COUNTS);
  private readonly counted = new LRUCache<string, true>({ max: REMEMBERED_MAX });

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * Counts the live blogs with the tags of these transitions, unless this process has counted them
   * already. Call it after a transition, before the request is answered.
   */
  async refresh(transitions: readonly TagTransition[]): Promise<void> {
    const missing = transitions.filter((transition) => !this.counted.has(nameOf(transition)));
    await this.count(missing.flatMap((transition) => transition.keys));
    for (const transition of missing) this.counted.set(nameOf(transition), true);
  }

  /** Does what `refresh` does, for transitions that other processes may have made. */
  async refreshOthers(transitions: readonly TagTransition[]): Promise<void> {
    if (transitions.every((transition) => this.counted.has(nameOf(transition)))) return;
    // The time that this process knows may be earlier than a transition of another process.
    this.coherence.raise(await presentTime(this.db()));
    await this.refresh(transitions);
  }

  /**
   * Counts tags after a change. It joins a count that has not begun; a count under way may have
   * missed the change.
   */
  async count(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    this.nextCount ??= this.scheduleCount();
    for (const key of keys) this.nextCount.keys.add(key);
    return this.nextCount.done;
  }

  private scheduleCount(): NextCount {
    const keys = new Set<string>();
    const done = this.limit(async () => {
      this.nextCount = null;
      return this.countAll([...keys]);
    });
    return { keys, done };
  }

  private async countAll(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += BATCH)
      await this.countBatch(keys.slice(at, at + BATCH));
  }

  private async countBatch(keys: readonly string[]): Promise<void> {
    const time = this.coherence.operationTime;
    const asOf = await positionOf(this.db(), time);
    await this.store(keys, await countTags(this.db(), keys, time), asOf);
  }

  private async store(
    keys: readonly string[],
    counts: readonly CountedTag[],
    asOf: bigint,
  ): Promise<void> {
    const writes = writesOf(keys, counts, { asOf, now: this.clock.now() });
    const store = (): Promise<unknown> =>
      this.coherence.write([TAGS.all], (session) =>
        this.db().collection<Tag>('tags').bulkWrite(writes, { session, ordered: false }),
      );
    // A duplicate key means that the stored count began later, or that another process has just
    // inserted the record. The second attempt rules out the second case.
    if (!(await storesWithoutDuplicate(store))) await storesWithoutDuplicate(store);
  }

  private db(): mongo.Db {
    const { db } = this.connection;
    if (!db) throw new Error('the database was asked before it was connected to');
    return db;
  }
}

/** @returns false for duplicate keys */
async function storesWithoutDuplicate(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (error) {
    if (isOnlyDuplicateKeys(error)) return false;
    throw error;
  }
}

function nameOf({ blog, rev }: TagTransition): string {
  return `${blog.toHexString()} ${rev}`;
}
