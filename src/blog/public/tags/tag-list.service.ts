import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { BLOG } from '../../core/blog.cache.js';
import { Blog, IS_PUBLIC, type LiveBlog } from '../../core/blog.schema.js';
import { unionOf, type Stage } from '../../core/lists/union.js';
import { tagKey } from '../../core/text/words.js';
import { compareKeys } from '../counts/comparison/list-comparison.js';
import { ListCounts, type CountedTag } from '../counts/list-counts.service.js';
import { LIST_CORRECTIONS } from '../counts/list-corrections.cache.js';
import {
  IS_USED_TAG,
  ListRecord,
  TAGS_BY_COUNT,
  TAGS_BY_KEY,
} from '../counts/list-record.schema.js';
import { SORTS } from '../lists/blog-list.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Listing } from '../../../platform/http/pagination/listing.js';
import type { IndexKeys } from '../../../platform/database/query-hints.js';
import { PublicReads } from '../reads/public-reads.js';
import { modelFor, type PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { encodeTagCursor } from './tag-cursor.js';
import type { TagView } from './tag.view.js';
import type { TagsQuery } from './tags-query.js';

/** Largest number of tags with a prefix that are sorted by their count. */
const SORTED_MAX = 1_000;

/**
 * A character that is greater than any other (Unicode, section 3.9). MongoDB compares texts by
 * their UTF-8 bytes.
 */
const LAST_CHARACTER = '\u{10ffff}';

/** A tag with the newest of its live blogs. */
interface ListedTag extends CountedTag {
  readonly newest: NewestBlog;
}

interface NewestBlog {
  readonly live: Pick<LiveBlog, 'at' | 'tags'>;
}

const byName = (one: CountedTag, other: CountedTag): number => compareKeys(one.key, other.key);

const byCount = (one: CountedTag, other: CountedTag): number =>
  other.count - one.count || byName(one, other);

/** Lists the tags of live blogs, for any holder of an API key. */
@Injectable()
export class TagListService {
  private readonly reads: PublicReads<TagsQuery, ListedTag[][], ListedTag[]>;

  constructor(
    @InjectModel(ListRecord.name) private readonly lists: Model<ListRecord>,
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly counts: ListCounts,
    coherence: CacheCoherenceService,
  ) {
    this.reads = new PublicReads(coherence, {
      dependsOn: [BLOG, LIST_CORRECTIONS],
      nameOf: ({ prefix, order, cursor, limit }) => JSON.stringify([prefix, order, cursor, limit]),
      scheduleOf: () => 'alone',
      query: (queries, options) => Promise.all(queries.map((query) => this.find(query, options))),
      valuesOf: (found) => found,
    });
  }

  async list(query: TagsQuery): Promise<Listing<TagView>> {
    const { prefix, order, limit } = query;
    const found = await this.reads.get(query);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return new Listing(items.map(viewOf), limit, last ? encodeTagCursor(last) : null, undefined, {
      ...(prefix === undefined ? {} : { prefix }),
      ...(order === 'name' ? { order } : {}),
    });
  }

  /** @returns one tag more than the limit if another page follows */
  private async find(query: TagsQuery, options: PublicReadOptions): Promise<ListedTag[]> {
    const tags = await this.findCounted(query, options);
    const newest = await this.newestOf(tags, options);
    // The last blog with a tag may have been taken down since the tags were counted.
    return tags.flatMap((tag) => {
      const blog = newest.get(tag.key);
      return blog ? [{ ...tag, newest: blog }] : [];
    });
  }

  private async findCounted(
    query: TagsQuery,
    options: PublicReadOptions,
  ): Promise<readonly CountedTag[]> {
    if (query.order === 'name') return this.byName(query, options);
    return query.prefix === undefined
      ? this.byCount(query, options)
      : this.byCountWithPrefix(query, options);
  }

  private byName({ prefix, cursor, limit }: TagsQuery, options: PublicReadOptions) {
    const tag = {
      ...(prefix === undefined ? {} : { $gte: prefix, $lt: prefix + LAST_CHARACTER }),
      ...(cursor ? { $gt: cursor.key } : {}),
    };
    const filter = Object.keys(tag).length > 0 ? { $and: [IS_USED_TAG, { tag }] } : IS_USED_TAG;
    return this.counts.readTags(
      limit + 1,
      {
        readTags: (max) => this.read(filter, TAGS_BY_KEY, max, options),
        compare: byName,
        isWanted: ({ key }) =>
          (prefix === undefined || key.startsWith(prefix)) &&
          (!cursor || compareKeys(key, cursor.key) > 0),
      },
      options,
    );
  }

  private byCount({ cursor, limit }: TagsQuery, options: PublicReadOptions) {
    const readTags = async (max: number): Promise<readonly CountedTag[]> => {
      if (!cursor) return this.read(IS_USED_TAG, TAGS_BY_COUNT, max, options);
      // The tags with the count of the cursor come first, and then those with lower counts.
      const { count, key } = cursor;
      const sameCount = { $and: [IS_USED_TAG, { count, tag: { $gt: key } }] };
      const first = await this.read(sameCount, TAGS_BY_COUNT, max, options);
      if (first.length === max) return first;
      const lowerCount = { $and: [IS_USED_TAG, { count: { $lt: count } }] };
      return [
        ...first,
        ...(await this.read(lowerCount, TAGS_BY_COUNT, max - first.length, options)),
      ];
    };
    const isWanted = (tag: CountedTag): boolean => !cursor || byCount(tag, cursor) > 0;
    return this.counts.readTags(limit + 1, { readTags, compare: byCount, isWanted }, options);
  }

  private async byCountWithPrefix(query: TagsQuery, options: PublicReadOptions) {
    const { cursor, limit } = query;
    // `byName` reads one tag more than this limit.
    const fullQuery = { ...query, limit: SORTED_MAX - 1 };
    const { cursor: _, ...withoutCursor } = fullQuery;
    const sorted = (await this.byName(withoutCursor, options)).toSorted(byCount);
    const following = cursor ? sorted.filter((tag) => byCount(tag, cursor) > 0) : sorted;
    return following.slice(0, limit + 1);
  }

  private async read(
    filter: QueryFilter<ListRecord>,
    index: IndexKeys,
    limit: number,
    options: PublicReadOptions,
  ): Promise<readonly CountedTag[]> {
    const records = await modelFor(this.lists, options)
      .find(filter)
      .sort(index)
      .limit(limit)
      .hint(index)
      .select(['tag', 'count'])
      .setOptions(options)
      .lean<Required<Pick<ListRecord, 'tag' | 'count'>>[]>();
    return records.map(({ tag: key, count }) => ({ key, count }));
  }

  /** Reads the newest live blog of each tag, in one query: one index key and one document for each. */
  private async newestOf(
    tags: readonly CountedTag[],
    options: PublicReadOptions,
  ): Promise<ReadonlyMap<string, NewestBlog>> {
    if (tags.length === 0) return new Map();
    const queries = tags.map(({ key }): Stage[] => [
      { $match: { 'live.tagKeys': key, ...IS_PUBLIC } },
      { $sort: SORTS.newest },
      { $limit: 1 },
      { $project: { _id: { $literal: key }, 'live.at': 1, 'live.tags': 1 } },
    ]);
    const found = await modelFor(this.blogs, options)
      .aggregate<NewestBlog & { readonly _id: string }>(unionOf(queries))
      .option(options);
    return new Map(found.map((blog) => [blog._id, blog]));
  }
}

/** The tag in the spelling of its newest blog. */
function viewOf({ key, count, newest: { live } }: ListedTag): TagView {
  const tag = live.tags.find((each) => tagKey(each) === tagKey(key)) ?? key;
  return { tag, count, publishedAt: live.at };
}
