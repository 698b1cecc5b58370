import type { mongo } from 'mongoose';
import { OPERATION_MAX_MS } from '../../database/client-options.js';
import { withHint } from '../../database/query-hints.js';
import { TAG_INDEX } from '../blog.indexes.js';
import { IS_PUBLIC, type Blog } from '../blog.schema.js';
import { tagKey } from '../text/words.js';
import type { Tag } from './tag.schema.js';

/** What the live blogs with a tag say of it; null without any. */
export type CountedTag = Required<Pick<Tag, 'tag' | 'count' | 'publishedAt'>> | null;

/**
 * Counts the live blogs with a tag: one index key for each of them, and no document but the newest one.
 *
 * @param blogs the collection, read from the primary
 */
export async function countTag(blogs: mongo.Collection<Blog>, key: string): Promise<CountedTag> {
  const filter = { 'live.tagKeys': key, ...IS_PUBLIC } as mongo.Filter<Blog>;
  const options = { readPreference: 'primary' as const, maxTimeMS: OPERATION_MAX_MS };
  const newest = await withHint(TAG_INDEX, (hint) =>
    blogs.findOne(filter, {
      ...options,
      ...hint,
      sort: { 'live.at': -1, _id: -1 },
      projection: { 'live.at': 1, 'live.tags': 1 },
    }),
  );
  if (!newest?.live) return null;
  // The `count` command reads keys alone.
  const count = await withHint(TAG_INDEX, (hint) => blogs.count(filter, { ...options, ...hint }));
  if (count === 0) return null;
  const tag = newest.live.tags.find((each) => tagKey(each) === key) ?? key;
  return { tag, count, publishedAt: newest.live.at };
}

export function sameCount(stored: Tag | null, counted: CountedTag): boolean {
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
