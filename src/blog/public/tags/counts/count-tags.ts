import { mongo } from 'mongoose';
import { OPERATION_MAX_MS } from '../../../../platform/database/client-options.js';
import { withHint } from '../../../../platform/database/query-hints.js';
import { TAG_INDEX } from '../../../core/blog.indexes.js';
import { IS_PUBLIC, type Blog } from '../../../core/blog.schema.js';
import { tagKey } from '../../../core/text/words.js';
import type { Tag } from './tag.schema.js';

/**
 * A tag with the number of its live blogs and the newest of their first publications; null if no
 * live blog has the tag.
 */
export type CountedTag = Required<Pick<Tag, 'tag' | 'count' | 'publishedAt'>> | null;

type NewestLive = Pick<NonNullable<Blog['live']>, 'at' | 'tags'>;

/** The `_id` of the record that holds the number of the last count on a standalone. No tag has this key. */
const COUNTER_ID = '';

/**
 * Counts the live blogs with each of the tags. It reads one index key for each blog, and for each
 * tag only the document of the newest blog.
 *
 * @param after the counts see all changes up to this time; null on a standalone, where they see all
 *   changes anyway
 * @returns in the order of the keys
 */
export async function countTags(
  db: mongo.Db,
  keys: readonly string[],
  after: mongo.Timestamp | null,
): Promise<CountedTag[]> {
  const counted = keys.map(async (key): Promise<CountedTag> => {
    const [newest, count] = await Promise.all([
      newestLiveOf(db, key, after),
      // The `count` command reads keys alone. An aggregation would fetch each blog.
      read<{ n: number }>(db, { count: 'blogs', query: filterOf(key) }, after),
    ]);
    const n = Number(count.n);
    if (!newest || n === 0) return null;
    const tag = newest.tags.find((each) => tagKey(each) === tagKey(key)) ?? key;
    return { tag, count: n, publishedAt: newest.at };
  });
  return Promise.all(counted);
}

function filterOf(key: string): object {
  return { 'live.tagKeys': key, ...IS_PUBLIC };
}

async function newestLiveOf(
  db: mongo.Db,
  key: string,
  after: mongo.Timestamp | null,
): Promise<NewestLive | undefined> {
  const { cursor } = await read<{ cursor: { firstBatch: { live: NewestLive }[] } }>(
    db,
    {
      find: 'blogs',
      filter: filterOf(key),
      sort: { 'live.at': -1, _id: -1 },
      limit: 1,
      singleBatch: true,
      projection: { 'live.at': 1, 'live.tags': 1 },
    },
    after,
  );
  return cursor.firstBatch[0]?.live;
}

/** Runs a `find` or `count` as a plain command: a cursor of the driver would double the time. */
function read<Answer>(
  db: mongo.Db,
  command: object,
  after: mongo.Timestamp | null,
): Promise<Answer> {
  const readConcern = after && { level: 'majority', afterClusterTime: after };
  return withHint(TAG_INDEX, async (hint) => {
    const bounded = { ...command, ...hint, maxTimeMS: OPERATION_MAX_MS };
    return (await db.command({ ...bounded, ...(readConcern && { readConcern }) })) as Answer;
  });
}

/**
 * The present operation time of the database: no answer that it gave earlier has a later one. null
 * on a standalone.
 */
export async function presentTime(db: mongo.Db): Promise<mongo.Timestamp | null> {
  const { operationTime } = await db.command({ ping: 1, maxTimeMS: OPERATION_MAX_MS });
  return operationTime instanceof mongo.Timestamp ? operationTime : null;
}

/**
 * The position, in the order of counts, of a count that begins now.
 *
 * @param time the time that `countTags` gets as `after`
 */
export async function positionOf(db: mongo.Db, time: mongo.Timestamp | null): Promise<bigint> {
  if (time) return time.toBigInt();
  // A standalone has no operation time, so the database keeps a number that each count of any
  // process increments.
  const asOf = { $add: [{ $ifNull: ['$asOf', 0] }, 1] };
  const counter = await db
    .collection<Tag>('tags')
    .findOneAndUpdate({ _id: COUNTER_ID }, [{ $set: { count: 0, asOf: { $toLong: asOf } } }], {
      upsert: true,
      returnDocument: 'after',
    });
  return BigInt(String(counter?.asOf));
}

/**
 * The writes that store counts. They do not replace a stored count that began later.
 *
 * @param keys the tags of the counts, in the same order
 * @param asOf see `positionOf`
 */
export function writesOf(
  keys: readonly string[],
  counts: readonly CountedTag[],
  { asOf, now }: { readonly asOf: bigint; readonly now: Date },
): mongo.AnyBulkWriteOperation<Tag>[] {
  return keys.map((key, index) => {
    const counted = counts[index];
    const tag = counted ? { key, ...counted, asOf } : { count: 0, asOf, emptyAt: now };
    // `$not` also matches a record without `asOf`, so that the record is replaced.
    const filter = { _id: key, asOf: { $not: { $gte: asOf } } };
    return { replaceOne: { filter, replacement: tag, upsert: true } };
  });
}
