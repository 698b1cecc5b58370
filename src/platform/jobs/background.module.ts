import { Module } from '@nestjs/common';
import { BackgroundService } from './background.service.js';

/** Imported by the module of each feature that registers a job. */
@Module({
  providers: [BackgroundService],
  exports: [BackgroundService],
})
export class BackgroundModule {}
