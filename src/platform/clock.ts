import { Injectable } from '@nestjs/common';

/** The clocks, injected so that tests can set them. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Milliseconds of a clock that is never adjusted. Only differences are meaningful. */
  monotonic(): number {
    return performance.now();
  }
}
