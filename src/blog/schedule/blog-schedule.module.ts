import { Module } from '@nestjs/common';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { BlogEditorModule } from '../editor/blog-editor.module.js';
import { UserModule } from '../../user/user.module.js';
import { BlogModule } from '../core/blog.module.js';
import { BlogScheduleController } from './blog-schedule.controller.js';
import { BlogScheduleService } from './blog-schedule.service.js';
import { ScheduleMakersJob } from './schedule-makers.job.js';
import { ScheduleMakers } from './schedule-makers.service.js';
import { ScheduleRunner } from './schedule-runner.service.js';

@Module({
  imports: [BlogModule, BlogEditorModule, BackgroundModule, UserModule],
  controllers: [BlogScheduleController],
  providers: [BlogScheduleService, ScheduleMakers, ScheduleMakersJob, ScheduleRunner],
  exports: [ScheduleMakers],
})
export class BlogScheduleModule {}
