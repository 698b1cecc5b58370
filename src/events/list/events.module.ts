import { Module } from '@nestjs/common';
import { EventLogModule } from '../log/event-log.module.js';
import { EventListService } from './event-list.service.js';
import { EventsController } from './events.controller.js';

@Module({
  imports: [EventLogModule],
  controllers: [EventsController],
  providers: [EventListService],
})
export class EventsModule {}
