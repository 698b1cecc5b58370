import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 410: events that a client has not read yet were removed from the log. */
export class EventsGoneError extends ApiError {
  constructor() {
    super(
      'events_gone',
      'events after this number are not kept any more: read without after, and rebuild',
    );
  }
}
