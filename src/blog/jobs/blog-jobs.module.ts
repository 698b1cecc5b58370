import { Module } from '@nestjs/common';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { BlogModule } from '../core/blog.module.js';
import { BlogHandoverModule } from '../handover/blog-handover.module.js';
import { AccountJobRunner } from './account-job-runner.service.js';
import { BlogJobsController } from './blog-jobs.controller.js';

@Module({
  imports: [BackgroundModule, BlogModule, BlogHandoverModule],
  controllers: [BlogJobsController],
  providers: [AccountJobRunner],
})
export class BlogJobsModule {}
