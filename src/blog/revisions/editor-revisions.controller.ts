import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { BlogDiffView } from '../core/views/blog-diff.view.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { RevisionNotFoundError } from './blog-revisions.errors.js';
import { EditorDiffQuery } from './dto/diff.query.js';
import { RevisionParam } from './dto/revision.param.js';
import { EditorRevisionsService } from './editor-revisions.service.js';
import { RevisionItemView } from './views/revision-item.view.js';
import { RevisionView } from './views/revision.view.js';

@ApiTags('editor')
@RequireRole('EDITOR')
@Controller('blog/editor')
export class EditorRevisionsController {
  constructor(private readonly revisions: EditorRevisionsService) {}

  @Get('revisions/id/:id')
  @Endpoint({
    id: 'listBlogRevisions',
    summary: 'The revisions of a blog, newest first',
    description: 'All revisions of any blog that was ever submitted: each was submitted or live.',
    data: [RevisionItemView],
    errors: [BlogNotFoundError],
  })
  list(@Param() { id }: ObjectIdParam, @Query() page: PageQuery): Promise<RevisionItemView[]> {
    return this.revisions.list(id, page);
  }

  @Get('revisions/id/:id/:rev')
  @Endpoint({
    id: 'getBlogRevision',
    summary: 'Read one revision of a blog',
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
    id: 'compareBlogRevisions',
    summary: 'What changed between two revisions',
    data: BlogDiffView,
    errors: [BlogNotFoundError, RevisionNotFoundError],
  })
  diff(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Query() query: EditorDiffQuery,
  ): Promise<BlogDiffView> {
    return this.revisions.diff(userId, id, query);
  }
}
