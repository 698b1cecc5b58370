import type { mongo } from 'mongoose';
import pLimit from 'p-limit';
import { OPERATION_MAX_MS } from '../../database/client-options.js';
import { withHint } from '../../database/query-hints.js';
import { TAG_INDEX } from '../blog.indexes.js';
import { IS_PUBLIC, type Blog } from '../blog.schema.js';
import { unionOf } from '../lists/union.js';
import { tagKey } from '../text/words.js';
import type { Tag } from './tag.schema.js';

/** What the live blogs with a tag say of it; null without any. */
export type CountedTag = Required<Pick<Tag, 'tag' | 'count' | 'publishedAt'>> | null;

interface Newest {
  /** The position of the tag. */
  readonly page: number;
  readonly live: Pick<NonNullable<Blog['live']>, 'at' | 'tags'>;
}

/** A relay that comes to many moves must leave connections of the pool to requests. */
const COUNTS_AT_A_TIME = 8;

const OPTIONS = { readPreference: 'primary', maxTimeMS: OPERATION_MAX_MS } as const;

/**
 * Counts the live blogs with each of the tags: one index key for each of them, and no document but the newest
 * one of each tag.
 *
 * @param keys distinct
 * @returns in the order of the keys
 */
export async function countTags(db: mongo.Db, keys: readonly string[]): Promise<CountedTag[]> {
  if (keys.length === 0) return [];
  const newest = new Map(
    (await readNewest(db, keys)).map(({ page, live }) => [keys[page], live] as const),
  );
  const limit = pLimit(COUNTS_AT_A_TIME);
  const counted = keys.map(async (key): Promise<CountedTag> => {
    const live = newest.get(key);
    const count = live ? await limit(() => countOf(db, key)) : 0;
    if (!live || count === 0) return null;
    const tag = live.tags.find((each) => tagKey(each) === key) ?? key;
    return { tag, count, publishedAt: live.at };
  });
  return Promise.all(counted);
}

function filterOf(key: string): object {
  return { 'live.tagKeys': key, ...IS_PUBLIC };
}

async function readNewest(db: mongo.Db, keys: readonly string[]): Promise<Newest[]> {
  const pipelines = keys.map((key, page) => [
    { $match: filterOf(key) },
    { $sort: { 'live.at': -1, _id: -1 } },
    { $limit: 1 },
    { $project: { page: { $literal: page }, 'live.at': 1, 'live.tags': 1 } },
  ]);
  // The plain command, whose first batch holds all of them, costs half the time of a cursor.
  const pipeline = unionOf(pipelines);
  const command = {
    aggregate: 'blogs',
    pipeline,
    cursor: { batchSize: keys.length + 1 },
  };
  const { cursor } = await db.command({ ...command, maxTimeMS: OPERATION_MAX_MS });
  return (cursor as { firstBatch: Newest[] }).firstBatch;
}

/** The `count` command reads keys alone. An aggregation would fetch each blog. */
async function countOf(db: mongo.Db, key: string): Promise<number> {
  return withHint(TAG_INDEX, (hint) =>
    db.collection('blogs').count(filterOf(key), { ...OPTIONS, ...hint }),
  );
}

export function sameCount(stored: Tag | undefined, counted: CountedTag): boolean {
  if (!counted) return (stored?.count ?? 0) === 0;
  return (
    stored?.count === counted.count &&
    stored.tag === counted.tag &&
    stored.publishedAt?.getTime() === counted.publishedAt.getTime()
  );
}

/** The record of a counted tag. */
export function storedCount(key: string, counted: CountedTag, version: number, now: Date): Tag {
  return counted
    ? { _id: key, key, ...counted, version }
    : { _id: key, count: 0, version, emptyAt: now };
}
