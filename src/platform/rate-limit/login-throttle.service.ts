import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { RateLimiterMongo } from 'rate-limiter-flexible';
import { Env } from '../config/env.js';
import type { Rate } from '../config/values/rate.js';
import { consume, countersOf } from './counters.js';
import { loginDelay } from './login-delay.js';
import { TooManyRequestsError } from './rate-limit.errors.js';

/** A password or passkey that a client presents, to sign in or to confirm an action. */
export interface LoginAttempt {
  /** The email address, or the id of the passkey, as given. No account needs to have it. */
  readonly email: string;
  /** IP prefix of the client: /24 of IPv4, /56 of IPv6. */
  readonly clientPrefix: string;
}

/** Counts the failed attempts of one kind of key, and locks the key for a delay that grows. */
interface Throttle {
  readonly failures: RateLimiterMongo;
  /** Holds a record for each locked key, which expires when the delay is over. */
  readonly lockout: RateLimiterMongo;
  /** Failed attempts per window that are not delayed. The last of them starts the first lockout. */
  readonly freeAttempts: number;
  readonly maxDelaySeconds: number;
  readonly keyOf: (attempt: LoginAttempt) => string;
  /**
   * What a right password clears: all failures of the key, or only the failure that was counted for
   * this attempt.
   */
  readonly onSuccess: 'reset' | 'undo';
}

/** A throttle, and the key under which it counts the present attempt. */
interface ThrottledKey {
  readonly throttle: Throttle;
  readonly key: string;
}

const TOTAL_KEY = 'all';

/**
 * Login throttling (OWASP Authentication Cheat Sheet; docs/adr/0005). Failed attempts are counted for each
 * pair of account and client prefix, and for each client prefix. An attack from one client prefix therefore
 * never keeps the owner of an account from signing in from another client prefix.
 *
 * Settings (`GUESSES_PER_ACCOUNT` …) and stored counters (`guess-account-gate` …) keep their older names,
 * because operators and databases use them. "Guess" means login attempt, "gate" means lockout.
 */
@Injectable()
export class LoginThrottleService {
  private readonly logger = new Logger(LoginThrottleService.name);
  private readonly throttles: readonly Throttle[];
  private readonly total: RateLimiterMongo;
  private readonly isOn: boolean;
  /** Number of wrong passwords, unknown addresses and disabled accounts, since the start. */
  failedCount = 0;
  /** Number of attempts that a lockout has refused, since the start. */
  refusedCount = 0;

  constructor(@InjectConnection() connection: Connection, env: Env) {
    const throttleOf = (
      name: string,
      rate: Rate,
      rest: Omit<Throttle, 'failures' | 'lockout' | 'freeAttempts'>,
    ): Throttle => ({
      failures: countersOf(connection, `${name}-failures`, rate),
      lockout: countersOf(connection, `${name}-gate`, { count: 1, seconds: 1 }),
      freeAttempts: rate.count,
      ...rest,
    });
    this.isOn = env.RATE_LIMITS === 'on';
    this.throttles = [
      throttleOf('guess-account', env.GUESSES_PER_ACCOUNT, {
        maxDelaySeconds: env.GUESS_DELAY_MAX / 1_000,
        keyOf: ({ email, clientPrefix }) => `${digest(email)}:${clientPrefix}`,
        onSuccess: 'reset',
      }),
      throttleOf('guess-network', env.GUESSES_PER_NETWORK, {
        maxDelaySeconds: env.GUESS_NETWORK_DELAY_MAX / 1_000,
        keyOf: ({ clientPrefix }) => clientPrefix,
        // A reset would let anyone with one account clear their failed attempts at other accounts.
        onSuccess: 'undo',
      }),
    ];
    this.total = countersOf(connection, 'guess-total', env.GUESS_ALARM);
  }

  /**
   * Checks a password unless the account or the client prefix is locked out.
   *
   * 1. Refuses during a lockout, without counting.
   * 2. Counts a failure before the check, so that concurrent attempts are counted as well.
   * 3. Clears failures as `onSuccess` says when the password was right. Subtracts the failure again when the
   *    check has thrown.
   *
   * @param check returns null when the password is wrong
   * @throws TooManyRequestsError during a lockout
   * @throws what the check throws
   */
  async attempt<Result>(
    attempt: LoginAttempt,
    check: () => Promise<Result | null>,
  ): Promise<Result | null> {
    if (!this.isOn) return this.recordResult(await check());
    const keys = this.throttles.map((throttle): ThrottledKey => ({
      throttle,
      key: throttle.keyOf(attempt),
    }));
    this.refuseIfLockedOut(await Promise.all(keys.map(lockoutOf)));
    const waits = await Promise.all(keys.map(countFailure));
    if (waits.some((wait) => wait !== null)) {
      await Promise.all(keys.map((key, index) => undo(key, waits[index] === null)));
      this.refuseIfLockedOut(waits);
    }
    let result: Result | null;
    try {
      result = await check();
    } catch (error) {
      await Promise.all(keys.map((key) => undo(key, true)));
      throw error;
    }
    if (result === null) await this.countTotal();
    else await Promise.all(keys.map(clear));
    return this.recordResult(result);
  }

  private recordResult<Result>(result: Result | null): Result | null {
    if (result === null) this.failedCount += 1;
    return result;
  }

  /**
   * @param waits milliseconds, or null for no wait
   * @throws TooManyRequestsError for the longest wait
   */
  private refuseIfLockedOut(waits: readonly (number | null)[]): void {
    const longest = Math.max(...waits.map((wait) => wait ?? 0));
    if (longest === 0) return;
    this.refusedCount += 1;
    throw new TooManyRequestsError(longest);
  }

  /** Counts the failures of all clients. Logs one warning per window when they reach the limit. */
  private async countTotal(): Promise<void> {
    const { consumedPoints } = await this.total.penalty(TOTAL_KEY);
    // The counter is atomic, so only one call in all processes gets exactly this count.
    if (consumedPoints !== this.total.points) return;
    this.logger.warn(
      `${consumedPoints} passwords were wrong within ${this.total.duration} seconds: ` +
        'someone may be guessing (GUESS_ALARM)',
    );
  }
}

/** @returns milliseconds until the lockout ends, or null when there is none */
async function lockoutOf({ throttle, key }: ThrottledKey): Promise<number | null> {
  return (await throttle.lockout.get(key))?.msBeforeNext ?? null;
}

/**
 * Counts a failure, and starts the lockout that it causes.
 *
 * @returns milliseconds to wait when a concurrent attempt has just started a lockout, else null
 */
async function countFailure({ throttle, key }: ThrottledKey): Promise<number | null> {
  const { consumedPoints } = await throttle.failures.penalty(key);
  const delay = loginDelay(consumedPoints - throttle.freeAttempts, throttle.maxDelaySeconds);
  return delay === 0 ? null : consume(throttle.lockout, key, delay);
}

/**
 * Subtracts one failure.
 *
 * @param ownsLockout false if another attempt started the lockout, which then stays
 */
async function undo({ throttle, key }: ThrottledKey, ownsLockout: boolean): Promise<void> {
  const unlock = ownsLockout ? [throttle.lockout.delete(key)] : [];
  await Promise.all([throttle.failures.reward(key), ...unlock]);
}

async function clear(throttled: ThrottledKey): Promise<void> {
  const { throttle, key } = throttled;
  if (throttle.onSuccess === 'undo') await undo(throttled, true);
  else await Promise.all([throttle.failures.delete(key), throttle.lockout.delete(key)]);
}

/** The email address as a hash, so that the stored counters contain no address. */
function digest(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}
