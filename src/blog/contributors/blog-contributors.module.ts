import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { BlogModule } from '../core/blog.module.js';
import { BlogContributorsController } from './blog-contributors.controller.js';
import { BlogContributorsService } from './blog-contributors.service.js';

@Module({
  imports: [AuditModule, BlogModule],
  controllers: [BlogContributorsController],
  providers: [BlogContributorsService],
})
export class BlogContributorsModule {}
