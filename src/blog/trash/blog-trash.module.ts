import { Module } from '@nestjs/common';
import { BlogAuthorModule } from '../author/blog-author.module.js';
import { BlogModule } from '../core/blog.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogTrashController } from './blog-trash.controller.js';
import { BlogTrashService } from './blog-trash.service.js';

@Module({
  imports: [BlogModule, BlogAuthorModule, UserModule],
  controllers: [BlogTrashController],
  providers: [BlogTrashService],
})
export class BlogTrashModule {}
