import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { RateLimiterMongo } from 'rate-limiter-flexible';
import type { Env } from '../config/env.js';
import { parseRate } from '../config/rate.js';
import { consume, countersOf } from './counters.js';
import { TooManyRequestsError } from './rate-limit.errors.js';

/** The setting that says how often each may be done from one network. */
const SETTINGS = {
  signup: 'LIMIT_SIGNUP',
  contact: 'LIMIT_CONTACT',
  password: 'LIMIT_PASSWORD',
} as const;

export type LimitedAction = keyof typeof SETTINGS;

/** What may be done only so often from one network, whoever does it. */
@Injectable()
export class RateLimitService {
  private readonly counters: Readonly<Record<LimitedAction, RateLimiterMongo>> | null;

  constructor(@InjectConnection() connection: Connection, config: ConfigService<Env, true>) {
    const of = (action: LimitedAction): RateLimiterMongo =>
      countersOf(connection, action, parseRate(config.get(SETTINGS[action], { infer: true })));
    this.counters =
      config.get('RATE_LIMITS', { infer: true }) === 'off'
        ? null
        : { signup: of('signup'), contact: of('contact'), password: of('password') };
  }

  /**
   * Counts one, and refuses it when the count is used up.
   *
   * @param network the caller's address prefix
   * @throws TooManyRequestsError
   */
  async count(action: LimitedAction, network: string): Promise<void> {
    if (!this.counters) return;
    const waitMs = await consume(this.counters[action], network);
    if (waitMs !== null) throw new TooManyRequestsError(waitMs);
  }
}
