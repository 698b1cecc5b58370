import { Module } from '@nestjs/common';
import { BackgroundService } from './background.service.js';

/** Imported by every feature that has a background job. */
@Module({
  providers: [BackgroundService],
  exports: [BackgroundService],
})
export class BackgroundModule {}
