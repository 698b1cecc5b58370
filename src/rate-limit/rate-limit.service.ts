import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { RateLimiterMongo } from 'rate-limiter-flexible';
import { Env } from '../config/env.js';
import { consume, countersOf } from './counters.js';
import { TooManyRequestsError } from './rate-limit.errors.js';

/** The setting that says how often each may be done. */
const SETTINGS = {
  signup: 'LIMIT_SIGNUP',
  contact: 'LIMIT_CONTACT',
  passwordChange: 'LIMIT_PASSWORD',
  accountDeletion: 'LIMIT_PASSWORD',
} as const;

export type LimitedAction = keyof typeof SETTINGS;

const ACTIONS = Object.keys(SETTINGS) as readonly LimitedAction[];

/** What may be done only so often, by whoever it is counted for. Each action counts by itself. */
@Injectable()
export class RateLimitService {
  private readonly counters: ReadonlyMap<LimitedAction, RateLimiterMongo>;

  constructor(@InjectConnection() connection: Connection, env: Env) {
    const of = (action: LimitedAction): RateLimiterMongo =>
      countersOf(connection, action, env[SETTINGS[action]]);
    const isOn = env.RATE_LIMITS === 'on';
    this.counters = new Map(isOn ? ACTIONS.map((action) => [action, of(action)] as const) : []);
  }

  /**
   * Counts one, and refuses it when the count is used up.
   *
   * @param key for whom it is counted: the caller's network, or account and network
   * @throws TooManyRequestsError
   */
  async count(action: LimitedAction, key: string): Promise<void> {
    const counters = this.counters.get(action);
    const waitMs = counters ? await consume(counters, key) : null;
    if (waitMs !== null) throw new TooManyRequestsError(waitMs);
  }
}
