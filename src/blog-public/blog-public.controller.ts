import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogNotFoundError } from '../blog/blog.errors.js';
import { BLOG } from '../blog/blog.cache.js';
import {
  authorCacheTag,
  blogCacheTag,
  LISTS_CACHE_TAG,
  tagCacheTag,
} from '../blog/text/cache-tags.js';
import { ListingItemView } from '../blog/views/listing-item.view.js';
import { PublicBlogView } from '../blog/views/public-blog.view.js';
import { Public } from '../common/access/access.decorator.js';
import type { CachedRoute } from '../common/http/cached.decorator.js';
import { ObjectIdParam } from '../common/object-id/object-id.param.js';
import { Endpoint, type EndpointOptions } from '../common/openapi/endpoint.decorator.js';
import { Listing } from '../common/pagination/listing.js';
import { TooManyExpensiveReadsError } from './blog-public.errors.js';
import { USER_NAME } from '../user/schemas/user.cache.js';
import { BlogPublicService } from './blog-public.service.js';
import { PublicPageQuery, ShortPublicPageQuery } from './dto/public-page-query.js';
import { pathTagKey, SlugParam, TagParam } from './dto/public-params.js';
import { PublicListService } from './lists/public-list.service.js';
import { SimilarService } from './similar/similar.service.js';

const ONE_CACHED: CachedRoute<PublicBlogView> = {
  query: [],
  dependsOn: [
    { subject: BLOG, idIn: ({ _id }) => _id },
    { subject: USER_NAME, idIn: ({ author }) => author._id },
  ],
  cacheTags: ({ _id, author }) => [blogCacheTag(_id), authorCacheTag(author._id)],
};
const LIST_CACHED: CachedRoute = {
  query: ['page', 'limit', 'cursor', 'total'],
  dependsOn: [{ subject: BLOG }],
  cacheTags: () => [LISTS_CACHE_TAG],
};

const ONE: Omit<EndpointOptions, 'summary'> = {
  data: PublicBlogView,
  errors: [BlogNotFoundError],
};
const LIST: Omit<EndpointOptions, 'summary'> = {
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
    private readonly similarBlogs: SimilarService,
  ) {}

  @Get('blog/id/:id')
  @Endpoint({
    ...ONE,
    summary: 'Read a published blog by its id',
    cache: { ...ONE_CACHED, param: 'id' },
  })
  byId(@Param() { id }: ObjectIdParam): Promise<PublicBlogView> {
    return this.blogs.getById(id);
  }

  @Get('blog/slug/:slug')
  @Endpoint({
    ...ONE,
    summary: 'Read a published blog by its slug',
    cache: { ...ONE_CACHED, param: 'slug' },
  })
  bySlug(@Param() { slug }: SlugParam): Promise<PublicBlogView> {
    return this.blogs.getBySlug(slug);
  }

  @Get('blogs/latest')
  @Endpoint({ ...LIST, summary: 'Published blogs, newest first' })
  latest(@Query() page: PublicPageQuery): Promise<Listing<ListingItemView>> {
    return this.lists.latest(page);
  }

  @Get('blog/list/latest')
  @Endpoint({ ...LIST, summary: 'Published blogs, newest first, at most 50 a page' })
  listLatest(@Query() page: ShortPublicPageQuery): Promise<Listing<ListingItemView>> {
    return this.lists.latest(page);
  }

  @Get('blogs/tag/:tag')
  @Endpoint({
    ...LIST,
    summary: 'Published blogs with a tag, newest first; case is ignored',
    cache: {
      ...LIST_CACHED,
      param: 'tag',
      cacheTags: (_items, tag) => [tagCacheTag(pathTagKey(tag))],
    },
  })
  byTag(
    @Param() { tag }: TagParam,
    @Query() page: PublicPageQuery,
  ): Promise<Listing<ListingItemView>> {
    return this.lists.byTag(tag, page);
  }

  @Get('blogs/similar/id/:id')
  @Endpoint({
    data: [ListingItemView],
    errors: [BlogNotFoundError, TooManyExpensiveReadsError],
    summary: 'At most six published blogs that share tags or words, best first',
    cache: { ...LIST_CACHED, query: [], param: 'id' },
  })
  similar(@Param() { id }: ObjectIdParam): Promise<ListingItemView[]> {
    return this.similarBlogs.similar(id);
  }
}
