import type { EventType, NewEvent } from '../../src/events/log/event-log.schema.js';
import { unique, unknownId } from '../support/factories.js';

/** Events for the log, each of another blog. */
export function newEvents(count: number, type: EventType = 'blog.submitted'): NewEvent[] {
  return Array.from({ length: count }, () => ({
    id: unique('evt'),
    type,
    at: new Date(),
    data: { _id: unknownId(), rev: 2 },
  }));
}
