import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BackgroundModule } from '../../platform/jobs/background.module.js';
import { LoggedEvent, LoggedEventSchema } from './event-log.schema.js';
import { EventLog } from './event-log.service.js';
import { EventRetention } from './event-retention.job.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: LoggedEvent.name, schema: LoggedEventSchema }]),
    BackgroundModule,
  ],
  providers: [EventLog, EventRetention],
  exports: [EventLog],
})
export class EventLogModule {}
