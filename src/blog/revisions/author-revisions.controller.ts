import { Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogNotFoundError, IllegalTransitionError, SlugTakenError } from '../core/blog.errors.js';
import { BlogDiffView } from '../core/views/blog-diff.view.js';
import { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { IfMatchHeader, type IfMatch } from '../../platform/http/conditional/if-match.js';
import type { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { AuthorRevisionsService } from './author-revisions.service.js';
import { RevisionNotFoundError, UnusableRevisionError } from './blog-revisions.errors.js';
import { AuthorDiffQuery } from './dto/diff.query.js';
import { RevisionParam } from './dto/revision.param.js';
import { RevisionItemView } from './views/revision-item.view.js';
import { RevisionView } from './views/revision.view.js';

@ApiTags('author')
@RequireRole('AUTHOR')
@Controller('blog/author')
export class AuthorRevisionsController {
  constructor(private readonly revisions: AuthorRevisionsService) {}

  @Get('revisions/id/:id')
  @Endpoint({
    id: 'listOwnBlogRevisions',
    summary: 'The revisions of one of your blogs, newest first',
    description:
      'One for each submission, correction and publication. If there are more than `REVISIONS_KEEP`, ' +
      'the oldest are dropped, except the first and the latest publication.',
    data: [RevisionItemView],
    errors: [BlogNotFoundError],
  })
  list(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Query() page: PageQuery,
  ): Promise<RevisionItemView[]> {
    return this.revisions.list(userId, id, page);
  }

  @Get('revisions/id/:id/:rev')
  @Endpoint({
    id: 'getOwnBlogRevision',
    summary: 'Read one revision of one of your blogs',
    data: RevisionView,
    errors: [BlogNotFoundError, RevisionNotFoundError],
  })
  get(
    @CurrentUser() { userId }: Caller,
    @Param() { id, rev }: RevisionParam,
  ): Promise<RevisionView> {
    return this.revisions.get(userId, id, rev);
  }

  @Get('diff/id/:id')
  @Endpoint({
    id: 'compareOwnBlogRevisions',
    summary: 'What changed between two revisions, or since a revision',
    description: 'With `to=working`, the revision is compared with the working copy.',
    data: BlogDiffView,
    errors: [BlogNotFoundError, RevisionNotFoundError],
  })
  diff(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Query() query: AuthorDiffQuery,
  ): Promise<BlogDiffView> {
    return this.revisions.diff(userId, id, query);
  }

  @Put('restore/id/:id/:rev')
  @Endpoint({
    id: 'restoreRevision',
    summary: 'Make a revision the working copy; an edit like any other',
    description:
      'The text is cleaned again. If the HTML policy has become stricter, `warnings` counts what was ' +
      'removed.',
    message: 'blog restored successfully',
    data: EditorialBlogView,
    revision: true,
    errors: [
      BlogNotFoundError,
      RevisionNotFoundError,
      IllegalTransitionError,
      SlugTakenError,
      UnusableRevisionError,
    ],
  })
  restore(
    @CurrentUser() { userId }: Caller,
    @Param() { id, rev }: RevisionParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    return this.revisions.restore(userId, id, rev, ifMatch);
  }
}
