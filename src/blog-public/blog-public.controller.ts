import { Controller, Get, Param, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { ListingItemView } from '../blog/views/listing-item.view.js';
import { PublicBlogView } from '../blog/views/public-blog.view.js';
import { Public } from '../common/access/access.decorator.js';
import { CONDITIONAL } from '../common/http/conditional/conditional-get.js';
import { ObjectIdParam } from '../common/object-id/object-id.param.js';
import { Endpoint } from '../common/openapi/endpoint.decorator.js';
import { PageQuery, ShortPageQuery } from '../common/pagination/page-query.dto.js';
import { BlogPublicService } from './blog-public.service.js';
import { SlugParam, TagParam } from './dto/public-params.js';

const ONE = { data: PublicBlogView, conditional: true, errors: [404] } as const;
const LIST = { data: [ListingItemView], conditional: true } as const;

@ApiTags('public')
@Public()
@Controller()
export class BlogPublicController {
  constructor(private readonly blogs: BlogPublicService) {}

  @Get('blog/id/:id')
  @RouteConfig(CONDITIONAL)
  @Endpoint({ ...ONE, summary: 'Read a published blog by its id' })
  byId(@Param() { id }: ObjectIdParam): Promise<PublicBlogView> {
    return this.blogs.getById(id);
  }

  @Get('blog/slug/:slug')
  @RouteConfig(CONDITIONAL)
  @Endpoint({ ...ONE, summary: 'Read a published blog by its slug' })
  bySlug(@Param() { slug }: SlugParam): Promise<PublicBlogView> {
    return this.blogs.getBySlug(slug);
  }

  @Get('blogs/latest')
  @RouteConfig(CONDITIONAL)
  @Endpoint({ ...LIST, summary: 'Published blogs, newest first' })
  latest(@Query() page: PageQuery): Promise<ListingItemView[]> {
    return this.blogs.latest(page);
  }

  @Get('blog/list/latest')
  @RouteConfig(CONDITIONAL)
  @Endpoint({ ...LIST, summary: 'The same, at most 50 at a time (as in variant M)' })
  listLatest(@Query() page: ShortPageQuery): Promise<ListingItemView[]> {
    return this.blogs.latest(page);
  }

  @Get('blogs/tag/:tag')
  @RouteConfig(CONDITIONAL)
  @Endpoint({ ...LIST, summary: 'Published blogs with a tag, newest first; case is ignored' })
  byTag(@Param() { tag }: TagParam, @Query() page: PageQuery): Promise<ListingItemView[]> {
    return this.blogs.byTag(tag, page);
  }

  @Get('blogs/similar/id/:id')
  @RouteConfig(CONDITIONAL)
  @Endpoint({
    ...LIST,
    summary: 'At most six published blogs that share tags or words, best first',
    errors: [404],
  })
  similar(@Param() { id }: ObjectIdParam): Promise<ListingItemView[]> {
    return this.blogs.similar(id);
  }
}
