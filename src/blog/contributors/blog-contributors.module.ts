import { Module } from '@nestjs/common';
import { BlogModule } from '../core/blog.module.js';
import { BlogContributorsController } from './blog-contributors.controller.js';
import { BlogContributorsService } from './blog-contributors.service.js';

@Module({
  imports: [BlogModule],
  controllers: [BlogContributorsController],
  providers: [BlogContributorsService],
})
export class BlogContributorsModule {}
