import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { RateLimiterMongo } from 'rate-limiter-flexible';
import { Env } from '../config/env.js';
import { consume, countersOf } from './counters.js';
import { TooManyRequestsError } from './rate-limit.errors.js';

/** The setting with the rate of each action. */
const SETTINGS = {
  signup: 'LIMIT_SIGNUP',
  contact: 'LIMIT_CONTACT',
  media: 'LIMIT_MEDIA',
  mail: 'LIMIT_MAIL',
  oidc: 'LIMIT_OIDC',
  passwordChange: 'LIMIT_PASSWORD',
  emailChange: 'LIMIT_PASSWORD',
  factorChange: 'LIMIT_PASSWORD',
  accountDeletion: 'LIMIT_PASSWORD',
  // An honest sign-in asks once for options, so they are as many as the sign-ins that may fail.
  passkeyOptions: 'GUESSES_PER_NETWORK',
} as const;

export type LimitedAction = keyof typeof SETTINGS;

const ACTIONS = Object.keys(SETTINGS) as readonly LimitedAction[];

/** Limits how often an action may be done. Each action has counters of its own. */
@Injectable()
export class RateLimitService {
  /** Number of refused actions, since the start. */
  readonly refusedCounts: Record<LimitedAction, number> = {
    signup: 0,
    contact: 0,
    media: 0,
    mail: 0,
    oidc: 0,
    passwordChange: 0,
    emailChange: 0,
    factorChange: 0,
    accountDeletion: 0,
    passkeyOptions: 0,
  };
  private readonly counters: ReadonlyMap<LimitedAction, RateLimiterMongo>;

  constructor(@InjectConnection() connection: Connection, env: Env) {
    const countersFor = (action: LimitedAction): RateLimiterMongo =>
      countersOf(connection, action, env[SETTINGS[action]]);
    const isOn = env.RATE_LIMITS === 'on';
    this.counters = new Map(
      isOn ? ACTIONS.map((action) => [action, countersFor(action)] as const) : [],
    );
  }

  /**
   * Counts the action for a key.
   *
   * @param key the key to count for: the client's IP prefix, or account and IP prefix
   * @throws TooManyRequestsError when the rate is exceeded
   */
  async count(action: LimitedAction, key: string): Promise<void> {
    const counters = this.counters.get(action);
    const waitMs = counters ? await consume(counters, key) : null;
    if (waitMs === null) return;
    this.refusedCounts[action] += 1;
    throw new TooManyRequestsError(waitMs);
  }
}
