import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { AuthorPreviewController } from './author-preview.controller.js';
import { EditorPreviewController } from './editor-preview.controller.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';

@Module({
  imports: [AuthModule, BlogModule, IdempotencyModule],
  controllers: [AuthorPreviewController, EditorPreviewController, PreviewController],
  providers: [PreviewService],
})
export class BlogPreviewsModule {}
