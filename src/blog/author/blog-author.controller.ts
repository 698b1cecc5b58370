import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BlogNotFoundError,
  DraftTextError,
  ForeignIdError,
  IllegalTransitionError,
  OtherEditorNeededError,
  SlugReservedError,
  SlugTakenError,
} from '../core/blog.errors.js';
import { CreateBlogDto } from '../core/dto/create-blog.dto.js';
import { UpdateBlogDto, UpdateNamedBlogDto } from '../core/dto/update-blog.dto.js';
import { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { EditorialItemView } from '../core/views/editorial-item.view.js';
import { HistoryItemView } from '../core/views/history-item.view.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { IfMatchHeader, type IfMatch } from '../../platform/http/conditional/if-match.js';
import type { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { ARTICLE_BODY_LIMIT } from '../../platform/http/input/body-limit.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint, type EndpointOptions } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { RequestedCreation } from '../../platform/idempotency/creation.decorator.js';
import { AccountDeletedError } from '../../user/user.errors.js';
import { AuthorCountsView } from './author-counts.view.js';
import { BlogAuthorService } from './blog-author.service.js';
import { SubmissionDto } from './submission.dto.js';

type Blog = Promise<Revisioned<EditorialBlogView>>;
type Items = Promise<EditorialItemView[]>;

const BLOG = {
  data: EditorialBlogView,
  revision: true,
} as const satisfies Partial<EndpointOptions>;

const TRANSITION = {
  ...BLOG,
  errors: [BlogNotFoundError, IllegalTransitionError],
} as const satisfies Partial<EndpointOptions>;

/** Options of the endpoints whose request body carries the text of an article. */
const WRITE = {
  ...BLOG,
  bodyLimit: ARTICLE_BODY_LIMIT,
  description:
    'The HTML is cleaned. If cleaning removes anything that readers would notice, `warnings` counts ' +
    'it by kind, such as "2 iframe removed".',
} as const satisfies Partial<EndpointOptions>;

const EDIT = {
  ...WRITE,
  description: `${WRITE.description} A live blog that has these values already stays as it is.`,
  message: 'blog updated successfully',
} as const satisfies Partial<EndpointOptions>;

const EDIT_ERRORS = [
  ...TRANSITION.errors,
  SlugTakenError,
  SlugReservedError,
  DraftTextError,
] as const;

const LIST = { data: [EditorialItemView] } as const satisfies Partial<EndpointOptions>;

@ApiTags('author')
@RequireRole('AUTHOR')
@Controller('blog/author')
export class BlogAuthorController {
  constructor(private readonly blogs: BlogAuthorService) {}

  @Post()
  @Endpoint({
    id: 'createBlog',
    ...WRITE,
    summary: 'Write a blog',
    message: 'blog created successfully',
    errors: [
      SlugTakenError,
      SlugReservedError,
      DraftTextError,
      AccountDeletedError,
      BlogNotFoundError,
    ],
  })
  create(
    @CurrentUser() { userId }: Caller,
    @Body() dto: CreateBlogDto,
    @RequestedCreation() creation: Creation | null,
  ): Blog {
    return this.blogs.create(userId, dto, creation);
  }

  @Put('id/:id')
  @Endpoint({
    id: 'updateBlog',
    ...EDIT,
    summary: 'Edit a blog; what is live stays until the edit is published',
    errors: [...EDIT_ERRORS, ForeignIdError],
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
  @Endpoint({
    id: 'updateNamedBlog',
    ...EDIT,
    summary: 'Edit the blog that the body names',
    deprecated: true,
    errors: EDIT_ERRORS,
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
    id: 'deleteBlog',
    summary: 'Delete a blog',
    message: 'blog deleted successfully',
    errors: [BlogNotFoundError, OtherEditorNeededError],
  })
  remove(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Promise<void> {
    return this.blogs.remove(userId, id, ifMatch);
  }

  @Put(['submit/:id', 'submit/id/:id'])
  @Endpoint({
    id: 'submitBlog',
    ...TRANSITION,
    summary: 'Submit for review',
    message: 'blog submitted successfully',
  })
  submit(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() { note }: SubmissionDto,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.submit(userId, id, note, ifMatch);
  }

  @Put(['withdraw/:id', 'withdraw/id/:id'])
  @Endpoint({
    id: 'withdrawBlog',
    ...TRANSITION,
    summary: 'Withdraw from review',
    message: 'blog withdrawn successfully',
  })
  withdraw(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.apply('withdraw', userId, id, ifMatch);
  }

  @Put('discard/:id')
  @Endpoint({
    id: 'discardEdits',
    ...TRANSITION,
    summary: 'Discard the edits of a live blog',
    message: 'blog discarded successfully',
  })
  discard(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.apply('discard', userId, id, ifMatch);
  }

  @Get('id/:id')
  @Endpoint({
    id: 'getOwnBlog',
    ...BLOG,
    summary: 'Read one of your blogs, in any state',
    errors: [BlogNotFoundError],
  })
  get(@CurrentUser() { userId }: Caller, @Param() { id }: ObjectIdParam): Blog {
    return this.blogs.get(userId, id);
  }

  @Get('history/id/:id')
  @Endpoint({
    id: 'listOwnBlogHistory',
    summary: 'The history of one of your blogs, newest first',
    description:
      'One item for each change: who made it, when, and from which state to which. A change by a ' +
      'migration has no `by`, a creation no `from`. A scheduled transition that could no longer be made ' +
      'shows as `unschedule`.',
    data: [HistoryItemView],
    errors: [BlogNotFoundError],
  })
  history(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Query() page: PageQuery,
  ): Promise<HistoryItemView[]> {
    return this.blogs.history(userId, id, page);
  }

  @Get('counts')
  @Endpoint({
    id: 'countOwnBlogs',
    summary: 'How many blogs each of your lists has',
    data: AuthorCountsView,
  })
  counts(@CurrentUser() { userId }: Caller): Promise<AuthorCountsView> {
    return this.blogs.counts(userId);
  }

  @Get('drafts')
  @Endpoint({
    id: 'listDrafts',
    ...LIST,
    summary: 'Your drafts, and live blogs with unsubmitted edits',
  })
  drafts(@CurrentUser() { userId }: Caller, @Query() page: PageQuery): Items {
    return this.blogs.list(userId, 'drafted', page);
  }

  @Get('submitted')
  @Endpoint({ id: 'listOwnSubmittedBlogs', ...LIST, summary: 'Your blogs in review' })
  submitted(@CurrentUser() { userId }: Caller, @Query() page: PageQuery): Items {
    return this.blogs.list(userId, 'submitted', page);
  }

  @Get('published')
  @Endpoint({ id: 'listOwnPublishedBlogs', ...LIST, summary: 'Your live blogs' })
  published(@CurrentUser() { userId }: Caller, @Query() page: PageQuery): Items {
    return this.blogs.list(userId, 'published', page);
  }
}
