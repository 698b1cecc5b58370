import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BlogNotFoundError, SlugTakenError } from '../core/blog.errors.js';
import { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { IfMatchHeader, type IfMatch } from '../../platform/http/conditional/if-match.js';
import type { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { BlogTrashService } from './blog-trash.service.js';
import { TrashItemView } from './trash-item.view.js';

@ApiTags('author')
@RequireRole('AUTHOR')
@Controller('blog/author')
export class BlogTrashController {
  constructor(private readonly trash: BlogTrashService) {}

  @Get('trash')
  @Endpoint({
    id: 'listTrash',
    summary: 'Your trash, the last deleted first',
    description:
      'What you have deleted stays here for a time (`TRASH_KEEP`, 30 days by default) and is then ' +
      'removed for good. Blogs that an older version of the server deleted are not here.',
    data: [TrashItemView],
  })
  list(@CurrentUser() { userId }: Caller, @Query() page: PageQuery): Promise<TrashItemView[]> {
    return this.trash.list(userId, page);
  }

  @Put('undelete/id/:id')
  @Endpoint({
    id: 'undeleteBlog',
    summary: 'Take a blog out of the trash; it becomes a draft',
    description:
      'The blog keeps its slug if no other blog has taken it; else the slug gets an ending such as `-2`.',
    message: 'blog restored successfully',
    data: EditorialBlogView,
    revision: true,
    errors: [BlogNotFoundError, SlugTakenError],
  })
  undelete(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    return this.trash.undelete(userId, id, ifMatch);
  }

  @Delete('trash/id/:id')
  @Endpoint({
    id: 'purgeBlog',
    summary: 'Remove a blog in the trash for good, with its revisions',
    message: 'blog removed from the trash successfully',
    errors: [BlogNotFoundError],
  })
  purge(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @IfMatchHeader() ifMatch: IfMatch,
  ): Promise<void> {
    return this.trash.purge(userId, id, ifMatch);
  }
}
