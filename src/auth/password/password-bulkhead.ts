import { Injectable } from '@nestjs/common';
import { Bulkhead } from '../../common/bulkhead/bulkhead.js';
import { TooManyPasswordsError } from '../auth.errors.js';
import { PasswordHasher } from './password-hasher.js';

/** A longer queue would mean waits of seconds. */
const MAX_QUEUED = 50;

/**
 * Half of a request's deadline (src/common/http/connection/deadline.ts), which leaves the other half
 * for the work. The wait is long where bcrypt's cost is high or the machine is busy.
 */
const MAX_WAIT_MS = 2_500;

/** One request per thread, and as many again plus two for their queries, so that no thread idles. */
function maxConcurrent(threads: number): number {
  return 2 * threads + 2;
}

/** Limits the requests that hash a password. Each waits here before it causes any other cost. */
@Injectable()
export class PasswordBulkhead extends Bulkhead {
  constructor({ threads }: PasswordHasher) {
    const options = {
      maxConcurrent: maxConcurrent(threads),
      maxQueued: MAX_QUEUED,
      maxWaitMs: MAX_WAIT_MS,
    };
    super(options, () => new TooManyPasswordsError());
  }
}
