import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../platform/http/access/access.decorator.js';
import { CurrentUser, type Caller } from '../../platform/http/access/current-user.decorator.js';
import { ObjectIdParam } from '../../platform/http/object-id/object-id.param.js';
import { Endpoint } from '../../platform/http/openapi/endpoint.decorator.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { RequestedCreation } from '../../platform/idempotency/creation.decorator.js';
import { BlogCommentService } from './blog-comment.service.js';
import { COMMENT_ENDPOINTS } from './comment-endpoints.js';
import { CommentParam } from './comment.param.js';
import type { CommentView } from './comment.view.js';
import { CreateCommentDto } from './dto/create-comment.dto.js';
import { UpdateCommentDto } from './dto/update-comment.dto.js';

/** Routes for authors: the comments on their own blogs, in any state. */
@ApiTags('author')
@RequireRole('AUTHOR')
@Controller('blog/author/comments')
export class AuthorCommentsController {
  constructor(private readonly comments: BlogCommentService) {}

  @Get('id/:id')
  @Endpoint({ id: 'listOwnBlogComments', ...COMMENT_ENDPOINTS.list })
  list(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Query() page: PageQuery,
  ): Promise<CommentView[]> {
    return this.comments.list({ as: 'author', userId, blog: id }, page);
  }

  @Post('id/:id')
  @Endpoint({ id: 'createOwnBlogComment', ...COMMENT_ENDPOINTS.create })
  create(
    @CurrentUser() { userId }: Caller,
    @Param() { id }: ObjectIdParam,
    @Body() dto: CreateCommentDto,
    @RequestedCreation() creation: Creation | null,
  ): Promise<CommentView> {
    return this.comments.create({ as: 'author', userId, blog: id }, dto, creation);
  }

  @Put('id/:id/:comment')
  @Endpoint({ id: 'updateOwnBlogComment', ...COMMENT_ENDPOINTS.change })
  change(
    @CurrentUser() { userId }: Caller,
    @Param() { id, comment }: CommentParam,
    @Body() dto: UpdateCommentDto,
  ): Promise<CommentView> {
    return this.comments.change({ as: 'author', userId, blog: id }, comment, dto);
  }

  @Delete('id/:id/:comment')
  @Endpoint({ id: 'deleteOwnBlogComment', ...COMMENT_ENDPOINTS.remove })
  remove(@CurrentUser() { userId }: Caller, @Param() { id, comment }: CommentParam): Promise<void> {
    return this.comments.remove({ as: 'author', userId, blog: id }, comment);
  }
}
