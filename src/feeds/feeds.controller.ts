import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BLOG } from '../blog/core/blog.cache.js';
import { LIST_CORRECTIONS } from '../blog/public/counts/list-corrections.cache.js';
import { TooManyExpensiveReadsError } from '../platform/overload/overload.errors.js';
import { OpenedBy, Public } from '../platform/http/access/access.decorator.js';
import type { CachedRoute } from '../platform/http/cached.decorator.js';
import {
  ClientPrefix,
  type ClientPrefixOf,
} from '../platform/http/client-address/client-prefix.decorator.js';
import type { TextDocument } from '../platform/http/text-document.js';
import { Endpoint, type EndpointOptions } from '../platform/http/openapi/endpoint.decorator.js';
import { USER_NAME } from '../user/schemas/user.cache.js';
import { FeedQuery } from './dto/feed-query.js';
import { SitemapQuery } from './dto/sitemap-query.js';
import { ATOM_SCHEMA, JSON_FEED_SCHEMA, RSS_SCHEMA, SITEMAP_SCHEMA } from './feed-schemas.js';
import { ATOM, JSON_FEED, RSS } from './feed/feed-formats.js';
import { FeedService, type FeedData } from './feed/feed.service.js';
import { SiteUrlMissingError } from './feeds.errors.js';
import { SitemapService, type SitemapData } from './sitemap/sitemap.service.js';

const FEED_CACHED: CachedRoute<FeedData> = {
  query: ['tag', 'author'],
  dependsOn: [
    { subject: BLOG },
    { subject: LIST_CORRECTIONS },
    { subject: USER_NAME, idsIn: ({ authors }) => authors },
  ],
  cacheTags: ({ cacheTags }) => cacheTags,
};
const SITEMAP_CACHED: CachedRoute<SitemapData> = {
  query: ['start', 'end'],
  dependsOn: [{ subject: BLOG }],
  cacheTags: ({ cacheTags }) => cacheTags,
};

const FEED: Omit<EndpointOptions, 'id' | 'summary'> = {
  description: 'A request with both `tag` and `author` gets 400.',
  errors: [SiteUrlMissingError, TooManyExpensiveReadsError],
  cache: FEED_CACHED,
};

/**
 * Feeds and sitemap for holders of an API key. With `PUBLIC_FEEDS=on`, OpenFeedsController takes
 * its place.
 */
@ApiTags('public')
@Public()
@OpenedBy('feeds')
@Controller()
export class FeedsController {
  constructor(
    private readonly feeds: FeedService,
    private readonly sitemaps: SitemapService,
  ) {}

  @Get('feeds/rss.xml')
  @Endpoint({
    id: 'getRssFeed',
    ...FEED,
    summary: 'The 30 newest blogs as RSS 2.0',
    document: { type: RSS.type, schema: RSS_SCHEMA },
  })
  rss(
    @Query() query: FeedQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<TextDocument<FeedData>> {
    return this.feeds.rss(query, clientPrefixOf);
  }

  @Get('feeds/atom.xml')
  @Endpoint({
    id: 'getAtomFeed',
    ...FEED,
    summary: 'The 30 newest blogs as Atom 1.0',
    document: { type: ATOM.type, schema: ATOM_SCHEMA },
  })
  atom(
    @Query() query: FeedQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<TextDocument<FeedData>> {
    return this.feeds.atom(query, clientPrefixOf);
  }

  @Get('feeds/feed.json')
  @Endpoint({
    id: 'getJsonFeed',
    ...FEED,
    summary: 'The 30 newest blogs as JSON Feed 1.1',
    document: { type: JSON_FEED.type, schema: JSON_FEED_SCHEMA },
  })
  json(
    @Query() query: FeedQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<TextDocument<FeedData>> {
    return this.feeds.json(query, clientPrefixOf);
  }

  @Get('sitemap.xml')
  @Endpoint({
    id: 'getSitemap',
    summary: 'The sitemap of all blogs: an index of parts, and each part',
    description: 'Parts have 50,000 URLs at most. They are streamed, and have no `ETag`.',
    errors: [SiteUrlMissingError, TooManyExpensiveReadsError],
    cache: SITEMAP_CACHED,
    document: { type: 'application/xml', schema: SITEMAP_SCHEMA },
  })
  sitemap(
    @Query() query: SitemapQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<TextDocument<SitemapData>> {
    return this.sitemaps.sitemap(query, clientPrefixOf);
  }
}
