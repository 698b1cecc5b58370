import { Injectable } from '@nestjs/common';
import {
  authorCacheTag,
  authorListCacheTag,
  LISTS_CACHE_TAG,
  tagCacheTag,
} from '../../blog/public/lists/cache-tags.js';
import type { ListingItemView } from '../../blog/core/views/listing-item.view.js';
import { ListCounts } from '../../blog/public/counts/list-counts.service.js';
import { ALL_BLOGS, authorList, tagList } from '../../blog/public/counts/list-names.js';
import { tagKey } from '../../blog/core/text/words.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { PublicListService } from '../../blog/public/lists/public-list.service.js';
import { ExpensiveReadsService } from '../../blog/public/reads/expensive-reads.service.js';
import type { ClientPrefixOf } from '../../platform/http/client-address/client-prefix.decorator.js';
import { TextDocument } from '../../platform/http/text-document.js';
import { Env } from '../../platform/config/env.js';
import type { FeedQuery } from '../dto/feed-query.js';
import { SiteService } from '../site.service.js';
import { ATOM, JSON_FEED, RSS, type FeedFormat } from './feed-formats.js';
import { toFeed } from './feed.js';

/** Data of a feed that the caches need. */
export interface FeedData {
  /** The ids of the authors whose names the feed shows. */
  readonly authors: readonly string[];
  /** The values of `Cache-Tag` by which a CDN purges the feed. */
  readonly cacheTags: readonly string[];
}

/** Largest number of articles in a feed. */
const LIMIT = 30;

/** Feeds of the newest live articles, for sites and their readers. */
@Injectable()
export class FeedService {
  constructor(
    private readonly site: SiteService,
    private readonly lists: PublicListService,
    private readonly counts: ListCounts,
    private readonly coherence: CacheCoherenceService,
    private readonly expensive: ExpensiveReadsService,
    private readonly env: Env,
  ) {}

  /**
   * The feed as RSS 2.0.
   *
   * @throws SiteUrlMissingError
   * @throws TooManyExpensiveReadsError
   */
  rss(query: FeedQuery, clientPrefixOf: ClientPrefixOf): Promise<TextDocument<FeedData>> {
    return this.feed(RSS, query, clientPrefixOf);
  }

  /**
   * The feed as Atom 1.0.
   *
   * @throws SiteUrlMissingError
   * @throws TooManyExpensiveReadsError
   */
  atom(query: FeedQuery, clientPrefixOf: ClientPrefixOf): Promise<TextDocument<FeedData>> {
    return this.feed(ATOM, query, clientPrefixOf);
  }

  /**
   * The feed as JSON Feed 1.1.
   *
   * @throws SiteUrlMissingError
   * @throws TooManyExpensiveReadsError
   */
  json(query: FeedQuery, clientPrefixOf: ClientPrefixOf): Promise<TextDocument<FeedData>> {
    return this.feed(JSON_FEED, query, clientPrefixOf);
  }

  private async feed(
    format: FeedFormat,
    query: FeedQuery,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<TextDocument<FeedData>> {
    const site = this.site.get();
    const { tag, author } = query;
    const isFull = this.env.FEED_TEXT === 'full';
    const page = { page: 1, limit: LIMIT, total: false, ...(isFull ? { include: TEXT } : {}) };
    const read = async (): Promise<TextDocument<FeedData>> => {
      const { items } = await this.lists.list({ tag, author }, page, clientPrefixOf);
      const url = site.pageUrl(format.path, { tag, author: author?.toHexString() });
      const title = tag ?? (author ? items[0]?.author.name : undefined);
      // The time is read after the list, so that it is never earlier than a change that the list shows.
      const { changedAt } = await this.coherence.publicRead((options) =>
        this.counts.read(listNameOf(query), options),
      );
      const body = format.write(toFeed(items, site, { url, title, changedAt }));
      return new TextDocument(`${format.type}; charset=utf-8`, body, dataOf(items, query));
    };
    return this.expensive.run(read, clientPrefixOf());
  }
}

const TEXT = 'text' as const;

function dataOf(items: readonly ListingItemView[], query: FeedQuery): FeedData {
  const authors = [...new Set(items.map(({ author: { _id } }) => _id))];
  return { authors, cacheTags: [listTagOf(query), ...authors.map(authorCacheTag)] };
}

/** The cache tag of the list whose newest articles the feed has. */
function listTagOf({ tag, author }: FeedQuery): string {
  if (tag !== undefined) return tagCacheTag(tag);
  return author ? authorListCacheTag(author) : LISTS_CACHE_TAG;
}

/** The name of the same list in the counts. */
function listNameOf({ tag, author }: FeedQuery): string {
  if (tag !== undefined) return tagList(tagKey(tag));
  return author ? authorList(author) : ALL_BLOGS;
}
