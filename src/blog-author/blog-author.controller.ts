import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  Post,
  Put,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EditorialBlogView } from '../blog/views/editorial-blog.view.js';
import { EditorialItemView } from '../blog/views/editorial-item.view.js';
import { HistoryItemView } from '../blog/views/history-item.view.js';
import { RequireRole } from '../common/access/access.decorator.js';
import { CurrentUser, type Caller } from '../common/access/current-user.decorator.js';
import { IfMatchHeader, type IfMatch } from '../common/http/conditional/if-match.js';
import { RevisionInterceptor, type Revisioned } from '../common/http/conditional/revisioned.js';
import { ARTICLE_BODY_LIMIT, BodyLimit } from '../common/http/input/body-limit.decorator.js';
import { ObjectIdParam } from '../common/object-id/object-id.param.js';
import { Endpoint, type EndpointOptions } from '../common/openapi/endpoint.decorator.js';
import { PageQuery } from '../common/pagination/page-query.dto.js';
import { BlogAuthorService } from './blog-author.service.js';
import { CreateBlogDto } from './dto/create-blog.dto.js';
import { UpdateBlogDto, UpdateNamedBlogDto } from './dto/update-blog.dto.js';

type Blog = Promise<Revisioned<EditorialBlogView>>;

/** What the single-blog writes have in common in the description. */
const WRITE = {
  data: EditorialBlogView,
  revision: true,
  ifMatch: true,
  errors: [400, 404],
} as const satisfies Partial<EndpointOptions>;

const LIST = { data: [EditorialItemView] } as const satisfies Partial<EndpointOptions>;

@ApiTags('author')
@RequireRole('AUTHOR')
@UseInterceptors(RevisionInterceptor)
@Controller('blog/author')
export class BlogAuthorController {
  constructor(private readonly blogs: BlogAuthorService) {}

  @Post()
  @BodyLimit(ARTICLE_BODY_LIMIT)
  @Endpoint({
    summary: 'Write a blog',
    message: 'blog created successfully',
    data: EditorialBlogView,
    revision: true,
    errors: [400],
  })
  create(@CurrentUser() { userId }: Caller, @Body() dto: CreateBlogDto): Blog {
    return this.blogs.create(userId, dto);
  }

  @Put('id/:id')
  @BodyLimit(ARTICLE_BODY_LIMIT)
  @Endpoint({
    ...WRITE,
    summary: 'Edit a blog; what is live stays until the edit is published',
    message: 'blog updated successfully',
  })
  update(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: UpdateBlogDto,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.update(userId, id, dto, ifMatch);
  }

  @Put()
  @BodyLimit(ARTICLE_BODY_LIMIT)
  @Endpoint({
    ...WRITE,
    summary: 'Edit the blog that the body names (path of the older server)',
    message: 'blog updated successfully',
  })
  updateNamed(
    @CurrentUser() { userId }: Caller,
    @Body() dto: UpdateNamedBlogDto,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.updateNamed(userId, dto, ifMatch);
  }

  @Delete('id/:id')
  @Endpoint({
    summary: 'Delete a blog',
    message: 'blog deleted successfully',
    ifMatch: true,
    errors: [404],
  })
  remove(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Promise<void> {
    return this.blogs.remove(userId, id, ifMatch);
  }

  @Put(['submit/:id', 'submit/id/:id'])
  @Endpoint({ ...WRITE, summary: 'Submit for review', message: 'blog submitted successfully' })
  submit(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.move('submit', userId, id, ifMatch);
  }

  @Put(['withdraw/:id', 'withdraw/id/:id'])
  @Endpoint({ ...WRITE, summary: 'Withdraw from review', message: 'blog withdrawn successfully' })
  withdraw(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.move('withdraw', userId, id, ifMatch);
  }

  @Put('discard/:id')
  @Endpoint({
    ...WRITE,
    summary: 'Discard the edits of a live blog',
    message: 'blog discarded successfully',
  })
  discard(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.move('discard', userId, id, ifMatch);
  }

  @Get('id/:id')
  @Endpoint({
    summary: 'Read one of your blogs, in any state',
    data: EditorialBlogView,
    revision: true,
    errors: [404],
  })
  get(@CurrentUser() { userId }: Caller, @Param() { id }: ObjectIdParam): Blog {
    return this.blogs.get(userId, id);
  }

  @Get('history/id/:id')
  @Endpoint({
    summary: 'What happened to one of your blogs, the latest first',
    description:
      'One item for each change: who made it, when, and from which state to which. A change by a ' +
      'migration has no `by`, a creation no `from`.',
    data: [HistoryItemView],
    errors: [404],
  })
  history(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Query() page: PageQuery,
  ): Promise<HistoryItemView[]> {
    return this.blogs.history(userId, id, page);
  }

  @Get('drafts')
  @Endpoint({ ...LIST, summary: 'Your drafts, and live blogs with unsubmitted edits' })
  drafts(
    @CurrentUser() { userId }: Caller,
    @Query() page: PageQuery,
  ): Promise<EditorialItemView[]> {
    return this.blogs.list(userId, 'drafted', page);
  }

  @Get('submitted')
  @Endpoint({ ...LIST, summary: 'Your blogs in review' })
  submitted(
    @CurrentUser() { userId }: Caller,
    @Query() page: PageQuery,
  ): Promise<EditorialItemView[]> {
    return this.blogs.list(userId, 'submitted', page);
  }

  @Get('published')
  @Endpoint({ ...LIST, summary: 'Your live blogs' })
  published(
    @CurrentUser() { userId }: Caller,
    @Query() page: PageQuery,
  ): Promise<EditorialItemView[]> {
    return this.blogs.list(userId, 'published', page);
  }
}
