import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { UserModule } from '../../user/user.module.js';
import { AuthorCommentsController } from './author-comments.controller.js';
import { BlogCommentService } from './blog-comment.service.js';
import { CommentQuoteService } from './comment-quote.service.js';
import { EditorCommentsController } from './editor-comments.controller.js';

@Module({
  imports: [BlogModule, IdempotencyModule, UserModule],
  controllers: [AuthorCommentsController, EditorCommentsController],
  providers: [BlogCommentService, CommentQuoteService],
  exports: [BlogCommentService],
})
export class BlogCommentsModule {}
