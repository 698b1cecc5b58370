import { Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogNotFoundError, IllegalMoveError } from '../blog/blog.errors.js';
import { EditorialBlogView } from '../blog/views/editorial-blog.view.js';
import { EditorialItemView } from '../blog/views/editorial-item.view.js';
import { HistoryItemView } from '../blog/views/history-item.view.js';
import { RequireRole } from '../common/access/access.decorator.js';
import { CurrentUser, type Caller } from '../common/access/current-user.decorator.js';
import { IfMatchHeader, type IfMatch } from '../common/http/conditional/if-match.js';
import type { Revisioned } from '../common/http/conditional/revisioned.js';
import { ObjectIdParam } from '../common/object-id/object-id.param.js';
import { Endpoint, type EndpointOptions } from '../common/openapi/endpoint.decorator.js';
import { PageQuery } from '../common/pagination/page-query.dto.js';
import { BlogEditorService } from './blog-editor.service.js';

type Blog = Promise<Revisioned<EditorialBlogView>>;

const MOVE = {
  data: EditorialBlogView,
  revision: true,
  errors: [BlogNotFoundError, IllegalMoveError],
} as const satisfies Partial<EndpointOptions>;

@ApiTags('editor')
@RequireRole('EDITOR')
@Controller('blog/editor')
export class BlogEditorController {
  constructor(private readonly blogs: BlogEditorService) {}

  @Get('id/:id')
  @Endpoint({
    summary: 'Read the submitted revision, else the live version',
    data: EditorialBlogView,
    revision: true,
    errors: [BlogNotFoundError],
  })
  get(@Param() { id }: ObjectIdParam): Blog {
    return this.blogs.get(id);
  }

  @Get('history/id/:id')
  @Endpoint({
    summary: 'The history of a blog, newest first',
    description:
      'One item for each change, unsubmitted edits included, without their content. ' +
      'A change by a migration has no `by`, a creation no `from`.',
    data: [HistoryItemView],
    errors: [BlogNotFoundError],
  })
  history(@Param() { id }: ObjectIdParam, @Query() page: PageQuery): Promise<HistoryItemView[]> {
    return this.blogs.history(id, page);
  }

  @Put('publish/id/:id')
  @Endpoint({
    ...MOVE,
    summary: 'Make exactly the submitted revision live',
    message: 'blog published successfully',
  })
  publish(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.move('publish', userId, id, ifMatch);
  }

  @Put('unpublish/id/:id')
  @Endpoint({
    ...MOVE,
    summary: 'Take a blog down; it becomes a draft',
    description:
      'Also one that was hidden in the database while its public version stayed. If the account of ' +
      'its author was deleted, the blog is deleted with its text, and its slug is free; the answer ' +
      'shows it as it was.',
    message: 'blog unpublished successfully',
  })
  unpublish(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Blog {
    return this.blogs.move('unpublish', userId, id, ifMatch);
  }

  @Get('submitted')
  @Endpoint({ summary: 'Blogs in review', data: [EditorialItemView] })
  submitted(@Query() page: PageQuery): Promise<EditorialItemView[]> {
    return this.blogs.list('submitted', page);
  }

  @Get('published')
  @Endpoint({ summary: 'Live blogs', data: [EditorialItemView] })
  published(@Query() page: PageQuery): Promise<EditorialItemView[]> {
    return this.blogs.list('published', page);
  }
}
