import { Injectable } from '@nestjs/common';
import { TooManyPasswordsError } from '../../auth.errors.js';
import { PasswordHasher } from '../password-hasher.js';
import { RefusalPace } from './refusal-pace.js';
import { WaitingLine, type Leave } from './waiting-line.js';

/** What waits beyond this would wait for seconds; who comes then is asked to come again. */
const MAX_WAITING = 50;

/**
 * Even those have to wait long at a high cost, or on a machine that has no time for them. Half of what
 * a request may take (src/common/http/deadline.ts): the rest is for its work.
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
export class PasswordRoom {
  private readonly line: WaitingLine;

  private readonly refusals = new RefusalPace();

  constructor({ threads }: PasswordHasher) {
    this.line = new WaitingLine({
      width: requestsAtWork(threads),
      length: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
    });
  }

  /**
   * Waits for the turn of a request.
   *
   * @returns what ends it; to be called once, whatever has become of the request
   * @throws TooManyPasswordsError when too many wait, or when the wait takes too long
   */
  async enter(): Promise<Leave> {
    const leave = await this.line.enter();
    if (leave !== null) return leave;
    await this.refusals.turn();
    throw new TooManyPasswordsError();
  }
}
