import { UnavailableError } from '../platform/http/errors/api.errors.js';

/** 503: the server runs, but must not get requests, because migrations are missing or it is stopping. */
export class NotReadyError extends UnavailableError {
  static readonly example = (): NotReadyError => new NotReadyError('the server is stopping');

  /** @param why the cause, without a full stop */
  constructor(why: string) {
    super(`not ready: ${why}`, 'not_ready');
  }
}
