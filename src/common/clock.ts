import { Injectable } from '@nestjs/common';

/** The wall clock, injected so that tests can move it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
