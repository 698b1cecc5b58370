import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { BlogAuthorModule } from '../author/blog-author.module.js';
import { UserModule } from '../../user/user.module.js';
import { AuthorRevisionsController } from './author-revisions.controller.js';
import { AuthorRevisionsService } from './author-revisions.service.js';
import { EditorRevisionsController } from './editor-revisions.controller.js';
import { EditorRevisionsService } from './editor-revisions.service.js';
import { RevisionReader } from './revision-reader.service.js';

@Module({
  imports: [BlogModule, BlogAuthorModule, UserModule],
  controllers: [AuthorRevisionsController, EditorRevisionsController],
  providers: [AuthorRevisionsService, EditorRevisionsService, RevisionReader],
})
export class BlogRevisionsModule {}
