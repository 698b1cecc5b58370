import { UnavailableError } from '../common/http/errors/api.errors.js';

/** 503: the server runs, but should not get requests yet or any more. */
export class NotReadyError extends UnavailableError {
  static readonly example = (): NotReadyError => new NotReadyError('the server is stopping');

  /** @param why without a full stop */
  constructor(why: string) {
    super(`not ready: ${why}`);
  }
}
