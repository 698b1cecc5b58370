import { ApiError } from '../http/errors/api.errors.js';
import { ResultCode } from '../http/envelope/result-code.js';

/** 429 (RFC 6585) with `Retry-After` in whole seconds. */
export class TooManyRequestsError extends ApiError {
  static readonly example = (): TooManyRequestsError => new TooManyRequestsError(8_000);

  constructor(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    super(
      'rate_limited',
      `too many attempts: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
      { code: ResultCode.RETRY, headers: { 'retry-after': String(seconds) } },
    );
  }
}
