import { Module } from '@nestjs/common';
import { BlogAuthorModule } from '../blog-author/blog-author.module.js';
import { BlogModule } from '../blog/blog.module.js';
import { UserModule } from '../user/user.module.js';
import { BlogTrashController } from './blog-trash.controller.js';
import { BlogTrashService } from './blog-trash.service.js';

@Module({
  imports: [BlogModule, BlogAuthorModule, UserModule],
  controllers: [BlogTrashController],
  providers: [BlogTrashService],
})
export class BlogTrashModule {}
