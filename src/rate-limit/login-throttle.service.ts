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

export interface Guess {
  /** The address that was presented, whether there is such an account or not. */
  readonly email: string;
  /** Address prefix of whoever presents it. */
  readonly network: string;
}

/** Counts failures of one kind of key, and holds the next attempt back for a while that grows. */
interface Brake {
  readonly failures: RateLimiterMongo;
  /** Shut behind an attempt, for as long as the next one has to wait. */
  readonly gate: RateLimiterMongo;
  /** Failures that pass without delay. */
  readonly free: number;
  readonly maxDelaySeconds: number;
  readonly keyOf: (guess: Guess) => string;
  /** What a success forgives: everything to the owner of an account, only itself to a network. */
  readonly forgives: 'all' | 'one';
}

/** A brake with the key of one attempt, which is counted as a failure until it succeeds. */
interface Hold {
  readonly brake: Brake;
  readonly key: string;
}

const TOTAL_KEY = 'all';

/**
 * Slows down whoever guesses passwords, and nobody else: failures count per account and network and
 * per network, so the owner of an account gets in from elsewhere whatever happens here.
 */
@Injectable()
export class LoginThrottleService {
  private readonly logger = new Logger(LoginThrottleService.name);
  private readonly brakes: readonly Brake[];
  private readonly total: RateLimiterMongo;
  private readonly isOn: boolean;

  constructor(@InjectConnection() connection: Connection, env: Env) {
    const brakeOf = (
      name: string,
      rate: Rate,
      rest: Omit<Brake, 'failures' | 'gate' | 'free'>,
    ): Brake => ({
      failures: countersOf(connection, `${name}-failures`, rate),
      gate: countersOf(connection, `${name}-gate`, { count: 1, seconds: 1 }),
      free: rate.count,
      ...rest,
    });
    this.isOn = env.RATE_LIMITS === 'on';
    this.brakes = [
      brakeOf('guess-account', env.GUESSES_PER_ACCOUNT, {
        maxDelaySeconds: env.GUESS_DELAY_MAX / 1_000,
        keyOf: ({ email, network }) => `${digest(email)}:${network}`,
        forgives: 'all',
      }),
      brakeOf('guess-network', env.GUESSES_PER_NETWORK, {
        maxDelaySeconds: env.GUESS_NETWORK_DELAY_MAX / 1_000,
        keyOf: ({ network }) => network,
        forgives: 'one',
      }),
    ];
    this.total = countersOf(connection, 'guess-total', env.GUESS_ALARM);
  }

  /**
   * Lets a password be checked, unless too many were wrong before.
   *
   * 1. Refuses while a gate is shut; that reads, and counts nothing.
   * 2. Counts the attempt as a failure beforehand, so that many at once are counted as well.
   * 3. Forgives what did not fail: a success, and an attempt that could not be made.
   *
   * @param check null when the password is wrong
   * @throws TooManyRequestsError @throws what the check throws
   */
  async attempt<Result>(guess: Guess, check: () => Promise<Result | null>): Promise<Result | null> {
    if (!this.isOn) return check();
    const holds = this.brakes.map((brake): Hold => ({ brake, key: brake.keyOf(guess) }));
    refuse(await Promise.all(holds.map(shutFor)));
    const waits = await Promise.all(holds.map(hold));
    if (waits.some((wait) => wait !== null)) {
      await Promise.all(holds.map((held, index) => undo(held, waits[index] === null)));
      refuse(waits);
    }
    let result: Result | null;
    try {
      result = await check();
    } catch (error) {
      await Promise.all(holds.map((held) => undo(held, true)));
      throw error;
    }
    if (result === null) await this.countFailure();
    else await Promise.all(holds.map(forgive));
    return result;
  }

  /** Nobody is refused for the sum of all failures, but somebody should look. */
  private async countFailure(): Promise<void> {
    const { consumedPoints } = await this.total.penalty(TOTAL_KEY);
    // Counting is atomic: exactly one of all processes sees this number.
    if (consumedPoints !== this.total.points) return;
    this.logger.warn(
      `${consumedPoints} passwords were wrong within ${this.total.duration} seconds: ` +
        'someone may be guessing (GUESS_ALARM)',
    );
  }
}

function refuse(waits: readonly (number | null)[]): void {
  const longest = Math.max(...waits.map((wait) => wait ?? 0));
  if (longest > 0) throw new TooManyRequestsError(longest);
}

async function shutFor({ brake, key }: Hold): Promise<number | null> {
  return (await brake.gate.get(key))?.msBeforeNext ?? null;
}

/** @returns how long to wait when somebody else has just shut the gate */
async function hold({ brake, key }: Hold): Promise<number | null> {
  const { consumedPoints } = await brake.failures.penalty(key);
  const delay = loginDelay(consumedPoints - brake.free, brake.maxDelaySeconds);
  return delay === 0 ? null : consume(brake.gate, key, delay);
}

/** As if the attempt had not been made. @param isOurs whether this attempt has shut the gate */
async function undo({ brake, key }: Hold, isOurs: boolean): Promise<void> {
  await Promise.all([brake.failures.reward(key), ...(isOurs ? [brake.gate.delete(key)] : [])]);
}

async function forgive(held: Hold): Promise<void> {
  const { brake, key } = held;
  if (brake.forgives === 'one') await undo(held, true);
  else await Promise.all([brake.failures.delete(key), brake.gate.delete(key)]);
}

/** No list of addresses is kept for the sake of counting. */
function digest(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}
