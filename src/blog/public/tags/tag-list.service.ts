import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { TAGS } from './counts/tag.cache.js';
import { BY_COUNT, BY_KEY, IS_USED, Tag } from './counts/tag.schema.js';
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

type UsedTag = Required<Pick<Tag, 'key' | 'tag' | 'count' | 'publishedAt'>>;

/** Lists the tags of live blogs, for any holder of an API key. */
@Injectable()
export class TagListService {
  private readonly reads: PublicReads<TagsQuery, UsedTag[][], UsedTag[]>;

  constructor(
    @InjectModel(Tag.name) private readonly tags: Model<Tag>,
    coherence: CacheCoherenceService,
  ) {
    this.reads = new PublicReads(coherence, {
      dependsOn: [TAGS],
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
    const views = items.map(({ tag, count, publishedAt }) => ({ tag, count, publishedAt }));
    return new Listing(views, limit, last ? encodeTagCursor(last) : null, undefined, {
      ...(prefix === undefined ? {} : { prefix }),
      ...(order === 'name' ? { order } : {}),
    });
  }

  /** @returns one tag more than the limit if another page follows */
  private async find(query: TagsQuery, options: PublicReadOptions): Promise<UsedTag[]> {
    if (query.order === 'name') return this.byName(query, options);
    return query.prefix === undefined
      ? this.byCount(query, options)
      : this.byCountWithPrefix(query, options);
  }

  private byName({ prefix, cursor, limit }: TagsQuery, options: PublicReadOptions) {
    const key = {
      ...(prefix === undefined ? {} : { $gte: prefix, $lt: prefix + LAST_CHARACTER }),
      ...(cursor ? { $gt: cursor.key } : {}),
    };
    const filter = Object.keys(key).length > 0 ? { ...IS_USED, key } : IS_USED;
    return this.read(filter, BY_KEY, limit + 1, options);
  }

  /** The tags with the count of the cursor come first, and then those with lower counts. */
  private async byCount({ cursor, limit }: TagsQuery, options: PublicReadOptions) {
    if (!cursor) return this.read(IS_USED, BY_COUNT, limit + 1, options);
    const { count, key } = cursor;
    const sameCount = { $and: [IS_USED, { count, key: { $gt: key } }] };
    const first = await this.read(sameCount, BY_COUNT, limit + 1, options);
    const missing = limit + 1 - first.length;
    if (missing === 0) return first;
    const lowerCount = { count: { ...IS_USED.count, $lt: count } };
    return [...first, ...(await this.read(lowerCount, BY_COUNT, missing, options))];
  }

  private async byCountWithPrefix(query: TagsQuery, options: PublicReadOptions) {
    const { cursor, limit } = query;
    // `byName` reads one tag more than this limit.
    const fullQuery = { ...query, limit: SORTED_MAX - 1 };
    const { cursor: _, ...withoutCursor } = fullQuery;
    const found = await this.byName(withoutCursor, options);
    const sorted = found.toSorted(
      (one, other) => other.count - one.count || (one.key < other.key ? -1 : 1),
    );
    const following = cursor ? sorted.filter((tag) => isAfter(tag, cursor)) : sorted;
    return following.slice(0, limit + 1);
  }

  private async read(
    filter: QueryFilter<Tag>,
    index: IndexKeys,
    limit: number,
    options: PublicReadOptions,
  ): Promise<UsedTag[]> {
    return modelFor(this.tags, options)
      .find(filter)
      .sort(index)
      .limit(limit)
      .hint(index)
      .select(['key', 'tag', 'count', 'publishedAt'])
      .setOptions(options)
      .lean<UsedTag[]>();
  }
}

function isAfter(tag: UsedTag, { count, key }: NonNullable<TagsQuery['cursor']>): boolean {
  return tag.count < count || (tag.count === count && tag.key > key);
}
