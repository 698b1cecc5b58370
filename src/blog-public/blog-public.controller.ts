import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BLOG } from '../blog/blog.cache.js';
import { ListingItemView } from '../blog/views/listing-item.view.js';
import { PublicBlogView } from '../blog/views/public-blog.view.js';
import { Public } from '../common/access/access.decorator.js';
import { Cached, type CachedRoute } from '../common/http/cached.decorator.js';
import { ObjectIdParam } from '../common/object-id/object-id.param.js';
import { Endpoint } from '../common/openapi/endpoint.decorator.js';
import { Listing } from '../common/pagination/listing.js';
import { USER_NAME } from '../user/schemas/user.cache.js';
import { BlogPublicService } from './blog-public.service.js';
import { PublicPageQuery, ShortPublicPageQuery } from './dto/public-page-query.js';
import { SlugParam, TagParam } from './dto/public-params.js';
import { PublicListService } from './lists/public-list.service.js';
import { SimilarService } from './similar/similar.service.js';

const ONE_BLOG: CachedRoute<PublicBlogView> = {
  query: [],
  dependsOn: [
    { subject: BLOG, idIn: ({ _id }) => _id },
    { subject: USER_NAME, idIn: ({ author }) => author._id },
  ],
};
const MANY_BLOGS: CachedRoute = {
  query: ['page', 'limit', 'cursor', 'total'],
  dependsOn: [{ subject: BLOG }],
};

const ONE = { data: PublicBlogView, conditional: true, errors: [404] } as const;
const SIMILAR = { data: [ListingItemView], conditional: true, errors: [404] } as const;
const LIST = { data: [ListingItemView], conditional: true, paged: true } as const;

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
  @Cached({ ...ONE_BLOG, param: 'id' })
  @Endpoint({ ...ONE, summary: 'Read a published blog by its id' })
  byId(@Param() { id }: ObjectIdParam): Promise<PublicBlogView> {
    return this.blogs.getById(id);
  }

  @Get('blog/slug/:slug')
  @Cached({ ...ONE_BLOG, param: 'slug' })
  @Endpoint({ ...ONE, summary: 'Read a published blog by its slug' })
  bySlug(@Param() { slug }: SlugParam): Promise<PublicBlogView> {
    return this.blogs.getBySlug(slug);
  }

  @Get('blogs/latest')
  @Cached(MANY_BLOGS)
  @Endpoint({ ...LIST, summary: 'Published blogs, newest first' })
  latest(@Query() page: PublicPageQuery): Promise<Listing<ListingItemView>> {
    return this.lists.latest(page);
  }

  @Get('blog/list/latest')
  @Cached(MANY_BLOGS)
  @Endpoint({ ...LIST, summary: 'The same, at most 50 at a time (as in variant M)' })
  listLatest(@Query() page: ShortPublicPageQuery): Promise<Listing<ListingItemView>> {
    return this.lists.latest(page);
  }

  @Get('blogs/tag/:tag')
  @Cached({ ...MANY_BLOGS, param: 'tag' })
  @Endpoint({ ...LIST, summary: 'Published blogs with a tag, newest first; case is ignored' })
  byTag(
    @Param() { tag }: TagParam,
    @Query() page: PublicPageQuery,
  ): Promise<Listing<ListingItemView>> {
    return this.lists.byTag(tag, page);
  }

  @Get('blogs/similar/id/:id')
  @Cached({ ...MANY_BLOGS, query: [], param: 'id' })
  @Endpoint({
    ...SIMILAR,
    summary: 'At most six published blogs that share tags or words, best first',
  })
  similar(@Param() { id }: ObjectIdParam): Promise<ListingItemView[]> {
    return this.similarBlogs.similar(id);
  }
}
