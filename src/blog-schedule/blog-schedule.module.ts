import { Module } from '@nestjs/common';
import { BackgroundModule } from '../background/background.module.js';
import { BlogEditorModule } from '../blog-editor/blog-editor.module.js';
import { BlogModule } from '../blog/blog.module.js';
import { BlogScheduleController } from './blog-schedule.controller.js';
import { BlogScheduleService } from './blog-schedule.service.js';
import { ScheduleRunner } from './schedule-runner.service.js';

@Module({
  imports: [BlogModule, BlogEditorModule, BackgroundModule],
  controllers: [BlogScheduleController],
  providers: [BlogScheduleService, ScheduleRunner],
})
export class BlogScheduleModule {}
