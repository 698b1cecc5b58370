import { GoneException } from '@nestjs/common';

/** 410: events after the number that a client has read were removed before it has read them. */
export class EventsGoneError extends GoneException {
  constructor() {
    super('events after this number are not kept any more: read without after, and rebuild');
  }
}
