import { Module } from '@nestjs/common';
import { BackgroundService } from './background.service.js';

/** The module that each feature with a background job imports. */
@Module({
  providers: [BackgroundService],
  exports: [BackgroundService],
})
export class BackgroundModule {}
