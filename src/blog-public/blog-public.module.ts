import { Module } from '@nestjs/common';
import { BlogModule } from '../blog/blog.module.js';
import { UserModule } from '../user/user.module.js';
import { BlogPublicController } from './blog-public.controller.js';
import { BlogPublicService } from './blog-public.service.js';
import { PublicListService } from './public-list.service.js';

@Module({
  imports: [BlogModule, UserModule],
  controllers: [BlogPublicController],
  providers: [BlogPublicService, PublicListService],
})
export class BlogPublicModule {}
