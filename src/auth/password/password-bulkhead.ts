import { Injectable } from '@nestjs/common';
import { Bulkhead } from '../../platform/overload/bulkhead/bulkhead.js';
import { TooManyPasswordsError } from '../auth.errors.js';
import { PasswordHasher } from './password-hasher.js';

/** Largest number of waiting requests: a longer queue would mean waits of seconds. */
const MAX_QUEUED = 50;

/**
 * Longest wait in milliseconds: half of a request's deadline
 * (src/platform/http/connection/deadline.ts). The other half is left for the work. Waits are long
 * where bcrypt's cost is high or the machine is busy.
 */
const MAX_WAIT_MS = 2_500;

/**
 * Number of requests that run at a time. It exceeds the number of threads, so that no thread is idle
 * while requests wait for their queries.
 */
function maxConcurrent(threads: number): number {
  return 2 * threads + 2;
}

/** Limits the concurrent requests that hash a password. A request waits here before any other work. */
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
