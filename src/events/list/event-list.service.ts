import { Injectable } from '@nestjs/common';
import { EventLog } from '../log/event-log.service.js';
import { EventQuery } from './event.query.js';
import { toEventView, type EventView } from './event.view.js';

/** Reads the event log for admins. */
@Injectable()
export class EventListService {
  constructor(private readonly log: EventLog) {}

  /** @throws EventsGoneError when the event after the number `after` is not kept any more */
  async list({ after, limit }: EventQuery): Promise<EventView[]> {
    const events = await this.log.after(after ?? null, limit);
    return events.map(toEventView);
  }
}
