import { Module } from '@nestjs/common';
import { BlogModule } from '../blog/blog.module.js';
import { UserModule } from '../user/user.module.js';
import { BlogAuthorController } from './blog-author.controller.js';
import { BlogAuthorService } from './blog-author.service.js';

@Module({
  imports: [BlogModule, UserModule],
  controllers: [BlogAuthorController],
  providers: [BlogAuthorService],
  exports: [BlogAuthorService],
})
export class BlogAuthorModule {}
