import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 410: events after the number that a client has read were removed before it has read them. */
export class EventsGoneError extends ApiError {
  constructor() {
    super(
      'events_gone',
      'events after this number are not kept any more: read without after, and rebuild',
    );
  }
}
