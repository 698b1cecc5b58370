import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BlogNotFoundError,
  DraftTextError,
  ForeignIdError,
  IllegalTransitionError,
  NotAnEditorError,
  OtherEditorNeededError,
  SlugReservedError,
  SlugTakenError,
} from '../core/blog.errors.js';
import { UpdateBlogDto } from '../core/dto/update-blog.dto.js';
import { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { EditorialItemView } from '../core/views/editorial-item.view.js';
import { HistoryItemView } from '../core/views/history-item.view.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import {
  IfMatchHeader,
  RequiredIfMatchHeader,
  type IfMatch,
} from '../../platform/http/conditional/if-match.js';
import type { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { RevisionRequiredError } from '../../platform/http/errors/api.errors.js';
import { ARTICLE_BODY_LIMIT } from '../../platform/http/input/body-limit.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint, type EndpointOptions } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { BlogEditorService } from './blog-editor.service.js';
import { AssignDto } from './dto/assign.dto.js';
import { ReturnDto } from './dto/return.dto.js';
import { SubmittedQuery } from './dto/submitted-query.dto.js';
import { EditorCountsView } from './editor-counts.view.js';

type BlogResponse = Promise<Revisioned<EditorialBlogView>>;

const TRANSITION = {
  data: EditorialBlogView,
  revision: true,
  errors: [BlogNotFoundError, IllegalTransitionError],
} as const satisfies Partial<EndpointOptions>;

@ApiTags('editor')
@RequireRole('EDITOR')
@Controller('blog/editor')
export class BlogEditorController {
  constructor(private readonly blogs: BlogEditorService) {}

  @Get('id/:id')
  @Endpoint({
    id: 'getBlogForReview',
    summary: 'Read the submitted revision, else the live version',
    data: EditorialBlogView,
    revision: true,
    errors: [BlogNotFoundError],
  })
  get(@Param() { id }: ObjectIdParam): BlogResponse {
    return this.blogs.get(id);
  }

  @Get('history/id/:id')
  @Endpoint({
    id: 'listBlogHistory',
    summary: 'The history of a blog, newest first',
    description:
      'One item for each change, unsubmitted edits included, without their content. Of a draft that ' +
      'was submitted or live before: up to the change that ended this. ' +
      'A change by a migration has no `by`, a creation no `from`.',
    data: [HistoryItemView],
    errors: [BlogNotFoundError],
  })
  history(@Param() { id }: ObjectIdParam, @Query() page: PageQuery): Promise<HistoryItemView[]> {
    return this.blogs.history(id, page);
  }

  @Put('id/:id')
  @Endpoint({
    id: 'correctBlog',
    ...TRANSITION,
    summary: 'Correct what is in review',
    description:
      'Only the given fields change, and the blog stays in review. `If-Match` is required, so that ' +
      'no one overwrites what they have not read. The editor counts as a contributor.',
    message: 'blog corrected successfully',
    bodyLimit: ARTICLE_BODY_LIMIT,
    errors: [
      ...TRANSITION.errors,
      SlugTakenError,
      SlugReservedError,
      DraftTextError,
      ForeignIdError,
      RevisionRequiredError,
    ],
  })
  correct(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: UpdateBlogDto,
    @RequiredIfMatchHeader() ifMatch: IfMatch | undefined,
  ): BlogResponse {
    return this.blogs.correct(userId, id, dto, ifMatch);
  }

  @Put('return/id/:id')
  @Endpoint({
    id: 'returnBlog',
    ...TRANSITION,
    summary: 'Return what is in review to its author, with a reason',
    message: 'blog returned successfully',
  })
  return(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() { note }: ReturnDto,
    @IfMatchHeader() ifMatch: IfMatch,
  ): BlogResponse {
    return this.blogs.apply('return', userId, id, ifMatch, { note });
  }

  @Put('assign/id/:id')
  @Endpoint({
    id: 'assignBlog',
    ...TRANSITION,
    summary: 'Assign what is in review to an editor',
    description:
      'The assignment stays when the blog is withdrawn or returned; publishing clears it.',
    message: 'blog assigned successfully',
    errors: [...TRANSITION.errors, NotAnEditorError],
  })
  assign(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() { editor }: AssignDto,
    @IfMatchHeader() ifMatch: IfMatch,
  ): BlogResponse {
    return this.blogs.assign(userId, id, editor, ifMatch);
  }

  @Put('publish/id/:id')
  @Endpoint({
    id: 'publishBlog',
    ...TRANSITION,
    summary: 'Make exactly the submitted revision live',
    errors: [...TRANSITION.errors, OtherEditorNeededError],
    message: 'blog published successfully',
  })
  publish(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): BlogResponse {
    return this.blogs.apply('publish', userId, id, ifMatch);
  }

  @Put('unpublish/id/:id')
  @Endpoint({
    id: 'unpublishBlog',
    ...TRANSITION,
    summary: 'Take a blog down; it becomes a draft',
    description:
      'Also removes the live version of a blog that was hidden in the database. If the account of ' +
      'its author was deleted, the blog is deleted with its text, and its slug is free; the ' +
      'answer shows the blog as it was.',
    message: 'blog unpublished successfully',
    errors: [...TRANSITION.errors, OtherEditorNeededError],
  })
  unpublish(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): BlogResponse {
    return this.blogs.apply('unpublish', userId, id, ifMatch);
  }

  @Get('counts')
  @Endpoint({
    id: 'countBlogsForReview',
    summary: 'How many blogs each list of editors has',
    data: EditorCountsView,
  })
  counts(@CurrentUser() { userId }: Caller): Promise<EditorCountsView> {
    return this.blogs.counts(userId);
  }

  @Get('submitted')
  @Endpoint({ id: 'listSubmittedBlogs', summary: 'Blogs in review', data: [EditorialItemView] })
  submitted(
    @CurrentUser() { userId }: Caller,
    @Query() query: SubmittedQuery,
  ): Promise<EditorialItemView[]> {
    return this.blogs.submitted(userId, query);
  }

  @Get('published')
  @Endpoint({ id: 'listPublishedBlogs', summary: 'Live blogs', data: [EditorialItemView] })
  published(@Query() page: PageQuery): Promise<EditorialItemView[]> {
    return this.blogs.published(page);
  }
}
