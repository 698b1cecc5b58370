import { HttpException } from '@nestjs/common';
import type { ErrorDetails } from '../common/http/errors/api.errors.js';
import { ResultCode } from '../common/http/envelope/result-code.js';

const TOO_MANY_REQUESTS = 429;

/** 429 (RFC 6585) with `Retry-After` in whole seconds. */
export class TooManyRequestsError extends HttpException {
  static readonly example = (): TooManyRequestsError => new TooManyRequestsError(8_000);

  constructor(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    super(
      {
        message: `too many attempts: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
        code: ResultCode.RETRY,
        headers: { 'retry-after': String(seconds) },
      } satisfies ErrorDetails,
      TOO_MANY_REQUESTS,
    );
  }
}
