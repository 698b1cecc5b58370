import { Module } from '@nestjs/common';
import { BlogModule } from '../blog/blog.module.js';
import { AuthorPreviewController } from './author-preview.controller.js';
import { EditorPreviewController } from './editor-preview.controller.js';
import { PreviewController } from './preview.controller.js';
import { PreviewService } from './preview.service.js';

@Module({
  imports: [BlogModule],
  controllers: [AuthorPreviewController, EditorPreviewController, PreviewController],
  providers: [PreviewService],
})
export class BlogPreviewsModule {}
