import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BackgroundJobRecord, BackgroundJobSchema } from './background-job.schema.js';
import { BackgroundService } from './background.service.js';
import { JobLease } from './job-lease.js';

/** Imported by the module of each feature that registers a job. */
@Module({
  imports: [
    MongooseModule.forFeature([{ name: BackgroundJobRecord.name, schema: BackgroundJobSchema }]),
  ],
  providers: [JobLease, BackgroundService],
  exports: [BackgroundService],
})
export class BackgroundModule {}
