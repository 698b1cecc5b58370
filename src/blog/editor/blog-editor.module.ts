import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogEditorController } from './blog-editor.controller.js';
import { BlogEditorService } from './blog-editor.service.js';

@Module({
  imports: [BlogModule, UserModule],
  controllers: [BlogEditorController],
  providers: [BlogEditorService],
  exports: [BlogEditorService],
})
export class BlogEditorModule {}
