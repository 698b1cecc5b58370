import { Injectable } from '@nestjs/common';
import { Bulkhead } from '../../common/bulkhead/bulkhead.js';
import { TooManyPasswordsError } from '../auth.errors.js';
import { PasswordHasher } from './password-hasher.js';

/** What waits beyond this would wait for seconds; who comes then is asked to come again. */
const MAX_WAITING = 50;

/**
 * Even those have to wait long at a high cost, or on a machine that has no time for them. Half of what
 * a request may take (src/common/http/connection/deadline.ts): the rest is for its work.
 */
const MAX_WAIT_MS = 2_500;

/**
 * How many requests are at work at a time: one whose password is hashed by each thread, and some
 * that ask the database meanwhile, before or after that, so that no thread is idle.
 */
function requestsAtWork(threads: number): number {
  return 2 * threads + 2;
}

/** Where requests wait that want a password hashed, before they cost anything else. */
@Injectable()
export class PasswordBulkhead extends Bulkhead {
  constructor({ threads }: PasswordHasher) {
    const options = {
      width: requestsAtWork(threads),
      length: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
    };
    super(options, () => new TooManyPasswordsError());
  }
}
