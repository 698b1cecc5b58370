import { Module } from '@nestjs/common';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { BlogEditorModule } from '../editor/blog-editor.module.js';
import { BlogModule } from '../core/blog.module.js';
import { BlogScheduleController } from './blog-schedule.controller.js';
import { BlogScheduleService } from './blog-schedule.service.js';
import { ScheduleRunner } from './schedule-runner.service.js';

@Module({
  imports: [BlogModule, BlogEditorModule, BackgroundModule],
  controllers: [BlogScheduleController],
  providers: [BlogScheduleService, ScheduleRunner],
})
export class BlogScheduleModule {}
