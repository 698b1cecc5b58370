import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogMovedError, BlogNotFoundError } from '../core/blog.errors.js';
import { BLOG } from '../core/blog.cache.js';
import { LIST_CORRECTIONS } from './counts/list-corrections.cache.js';
import {
  authorCacheTag,
  authorListCacheTag,
  blogCacheTag,
  LISTS_CACHE_TAG,
  tagCacheTag,
} from './lists/cache-tags.js';
import { ListingItemView } from '../core/views/listing-item.view.js';
import { PublicBlogView } from '../core/views/public-blog.view.js';
import { OpenedBy, Public } from '../../platform/http/access/access.decorator.js';
import type { CachedRoute } from '../../platform/http/cached.decorator.js';
import {
  ClientPrefix,
  type ClientPrefixOf,
} from '../../platform/http/client-address/client-prefix.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint, type EndpointOptions } from '../../platform/http/openapi/endpoint.decorator.js';
import { Listing } from '../../platform/http/pagination/listing.js';
import { USER, USER_NAME } from '../../user/schemas/user.cache.js';
import { AuthorPageService } from './authors/author-page.service.js';
import { AuthorPageView } from './authors/author-page.view.js';
import { TooManyExpensiveReadsError } from '../../platform/overload/overload.errors.js';
import { AuthorNotFoundError } from './blog-public.errors.js';
import { BlogPublicService } from './blog-public.service.js';
import { LatestQuery, PublicListQuery, ShortListQuery } from './dto/public-list-query.js';
import { SlugParam, TagParam } from './dto/public-params.js';
import { PublicListService } from './lists/public-list.service.js';
import { SearchQuery } from './search/search-query.js';
import { SearchService } from './search/search.service.js';
import { SearchView } from './search/results/search.view.js';
import { TagListService } from './tags/tag-list.service.js';
import { TagView } from './tags/tag.view.js';
import { TagsQuery } from './tags/tags-query.js';
import { SimilarService } from './similar/similar.service.js';

const ONE_CACHED: CachedRoute<PublicBlogView> = {
  query: [],
  dependsOn: [
    { subject: BLOG, idsIn: ({ _id }) => [_id] },
    { subject: USER_NAME, idsIn: ({ author }) => [author._id] },
  ],
  cacheTags: ({ _id, author }) => [blogCacheTag(_id), authorCacheTag(author._id)],
};
const LIST_CACHED: CachedRoute<ListingItemView[]> = {
  query: ['page', 'limit', 'cursor', 'total', 'include', 'from', 'to', 'order'],
  dependsOn: [{ subject: BLOG }, { subject: USER_NAME, idsIn: authorIds }],
  cacheTags: (items) => [LISTS_CACHE_TAG, ...authorIds(items).map(authorCacheTag)],
};

function authorIds(items: readonly ListingItemView[]): string[] {
  return items.map(({ author }) => author._id);
}

const ONE: Omit<EndpointOptions, 'id' | 'summary'> = {
  data: PublicBlogView,
  errors: [BlogNotFoundError],
};
const LIST: Omit<EndpointOptions, 'id' | 'summary'> = {
  data: [ListingItemView],
  paged: true,
  errors: [TooManyExpensiveReadsError],
  cache: LIST_CACHED,
};

@ApiTags('public')
@Public()
@Controller()
export class BlogPublicController {
  constructor(
    private readonly blogs: BlogPublicService,
    private readonly lists: PublicListService,
    private readonly authors: AuthorPageService,
    private readonly tagLists: TagListService,
    private readonly similarBlogs: SimilarService,
    private readonly searches: SearchService,
  ) {}

  @Get('blog/id/:id')
  @Endpoint({
    id: 'getBlog',
    ...ONE,
    summary: 'Read a published blog by its id',
    cache: { ...ONE_CACHED, param: 'id' },
  })
  byId(@Param() { id }: ObjectIdParam): Promise<PublicBlogView> {
    return this.blogs.getById(id);
  }

  @Get('blog/slug/:slug')
  @Endpoint({
    id: 'getBlogBySlug',
    ...ONE,
    errors: [BlogNotFoundError, BlogMovedError],
    summary: 'Read a published blog by its slug',
    description: 'A former slug of a published blog is answered by 301 to the present slug.',
    cache: { ...ONE_CACHED, param: 'slug' },
  })
  bySlug(@Param() { slug }: SlugParam): Promise<PublicBlogView> {
    return this.blogs.getBySlug(slug);
  }

  @Get('blogs/latest')
  @Endpoint({
    id: 'listLatestBlogs',
    ...LIST,
    summary: 'Published blogs, newest first',
    description: 'Both `tag` and `author` in one request are refused with 400.',
    cache: { ...LIST_CACHED, query: [...LIST_CACHED.query, 'tag', 'author'] },
  })
  latest(
    @Query() query: LatestQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<Listing<ListingItemView>> {
    return this.lists.list(query, query, clientPrefixOf);
  }

  @Get('blog/list/latest')
  @Endpoint({
    id: 'listNewestBlogs',
    ...LIST,
    summary: 'Published blogs, newest first, at most 50 a page',
    deprecated: true,
  })
  listLatest(
    @Query() query: ShortListQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<Listing<ListingItemView>> {
    return this.lists.list({}, query, clientPrefixOf);
  }

  @Get('blogs/tag/:tag')
  @Endpoint({
    id: 'listBlogsByTag',
    ...LIST,
    summary: 'Published blogs with a tag, newest first; case is ignored',
    cache: {
      ...LIST_CACHED,
      param: 'tag',
      cacheTags: (items, tag) => [tagCacheTag(tag), ...authorIds(items).map(authorCacheTag)],
    },
  })
  byTag(
    @Param() { tag }: TagParam,
    @Query() query: PublicListQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<Listing<ListingItemView>> {
    return this.lists.list({ tag }, query, clientPrefixOf);
  }

  @Get('blogs/author/id/:id')
  @Endpoint({
    id: 'listBlogsByAuthor',
    ...LIST,
    summary: 'Published blogs of an author, newest first',
    cache: {
      ...LIST_CACHED,
      param: 'id',
      cacheTags: (_items, id) => [authorListCacheTag(id), authorCacheTag(id)],
    },
  })
  byAuthor(
    @Param() { id }: ObjectIdParam,
    @Query() query: PublicListQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<Listing<ListingItemView>> {
    return this.lists.list({ author: id }, query, clientPrefixOf);
  }

  @Get('tags')
  @Endpoint({
    id: 'listTags',
    data: [TagView],
    paged: true,
    summary: 'The tags of published blogs',
    cache: {
      query: ['prefix', 'order', 'limit', 'cursor'],
      dependsOn: [{ subject: BLOG }, { subject: LIST_CORRECTIONS }],
      cacheTags: () => [LISTS_CACHE_TAG],
    },
  })
  tags(@Query() query: TagsQuery): Promise<Listing<TagView>> {
    return this.tagLists.list(query);
  }

  @Get('authors/id/:id')
  @Endpoint({
    id: 'getAuthor',
    data: AuthorPageView,
    errors: [AuthorNotFoundError],
    summary: 'An author of published blogs',
    cache: {
      query: [],
      param: 'id',
      dependsOn: [
        { subject: BLOG },
        { subject: LIST_CORRECTIONS },
        { subject: USER, idsIn: ({ _id }: AuthorPageView) => [_id] },
      ],
      cacheTags: ({ _id }) => [authorListCacheTag(_id), authorCacheTag(_id)],
    } satisfies CachedRoute<AuthorPageView>,
  })
  author(@Param() { id }: ObjectIdParam): Promise<AuthorPageView> {
    return this.authors.get(id);
  }

  @OpenedBy('search')
  @Get('blogs/search')
  @Endpoint({
    id: 'searchBlogs',
    data: SearchView,
    errors: [TooManyExpensiveReadsError],
    summary: 'Search published blogs by their words, best first',
    description:
      'Looks in titles, tags, descriptions and texts, and finds 100 at most. All words are required; if few ' +
      'blogs have all words, blogs with most of the words follow. If too many blogs match, only the ' +
      'newest of those with the rarest word of the query are searched.',
    cache: {
      query: ['q', 'tag', 'author', 'from', 'to', 'page', 'limit'],
      dependsOn: [
        { subject: BLOG },
        { subject: USER_NAME, idsIn: ({ items }) => authorIds(items) },
      ],
      cacheTags: ({ items }) => [LISTS_CACHE_TAG, ...authorIds(items).map(authorCacheTag)],
    } satisfies CachedRoute<SearchView>,
  })
  search(
    @Query() query: SearchQuery,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<SearchView> {
    return this.searches.search(query, clientPrefixOf);
  }

  @Get('blogs/similar/id/:id')
  @Endpoint({
    id: 'listSimilarBlogs',
    data: [ListingItemView],
    errors: [BlogNotFoundError, TooManyExpensiveReadsError],
    summary: 'At most six published blogs that share tags or words, best first',
    cache: { ...LIST_CACHED, query: [], param: 'id' },
  })
  similar(
    @Param() { id }: ObjectIdParam,
    @ClientPrefix() clientPrefixOf: ClientPrefixOf,
  ): Promise<ListingItemView[]> {
    return this.similarBlogs.similar(id, clientPrefixOf);
  }
}
