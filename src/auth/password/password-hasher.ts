import { availableParallelism } from 'node:os';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { siblingModuleUrl, ThreadPool } from '../../platform/threads/thread-pool.js';
import { Env } from '../../platform/config/env.js';
import { workerCount } from '../../platform/config/worker-count.js';
import { TooManyPasswordsError } from '../auth.errors.js';
import { costOf, ownBcrypt, type BcryptThreadData, type Comparison } from './bcrypt.worker.js';

/** Longest queue of the pool, for callers that bypass PasswordBulkhead, such as the first start. */
const MAX_QUEUE = 50;

/**
 * Niceness of the threads: where cores are scarce, the event loop has priority over password
 * hashing.
 */
const NICENESS = 5;

/**
 * Memory limits of a thread: hashing makes little garbage, so it needs a smaller young generation
 * than the event loop.
 */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/**
 * Number of hashing threads of a process: its share of the cores, less one for its event loop; at
 * least 1.
 *
 * @param workers number of processes that share the machine
 */
export function passwordThreads(cores: number, workers: number): number {
  return Math.max(1, Math.floor(cores / workers) - 1);
}

/**
 * Hashes with bcrypt at the configured cost on a thread pool, because a hash blocks a thread for
 * about 50 ms.
 *
 * `hash`, `matches` and `isCommon` throw UnavailableError when the queue of the pool is full, or when
 * the thread of the task dies.
 */
@Injectable()
export class PasswordHasher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PasswordHasher.name);

  private readonly cost: number;

  /** Number of passwords that can be hashed at the same time. */
  readonly threads: number;

  private readonly pool: ThreadPool<unknown, unknown>;

  constructor(env: Env) {
    this.cost = env.BCRYPT_COST;
    this.threads = passwordThreads(availableParallelism(), workerCount(env));
    this.pool = new ThreadPool({
      filename: siblingModuleUrl(import.meta.url, 'bcrypt.worker'),
      maxThreads: this.threads,
      resourceLimits: RESOURCE_LIMITS,
      workerData: { bcrypt: ownBcrypt.name } satisfies BcryptThreadData,
      niceness: NICENESS,
      wake: { task: null, name: 'wake' },
      lostMessage: 'the password could not be checked: try again in a moment',
    });
  }

  async hash(password: string): Promise<string> {
    return this.run<string>('hash', { password, cost: this.cost });
  }

  /**
   * Whether the password matches the hash.
   *
   * @param hash null when there is no account: the comparison then takes as long as with a hash
   */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const comparison: Comparison = { password, hash, cost: this.cost };
    return this.run<boolean>('compare', comparison);
  }

  /** Whether the password is one of the 3,000 most common passwords of 8 characters or more. */
  async isCommon(password: string): Promise<boolean> {
    return this.run<boolean>('isCommon', password);
  }

  /** Whether a stored hash has a lower cost than the configured one. */
  isOutdated(hash: string): boolean {
    const cost = costOf(hash);
    return cost !== null && cost < this.cost;
  }

  /** Logs which bcrypt module is in use, because the two differ in speed. */
  onApplicationBootstrap(): void {
    this.logger.log(`passwords are hashed by ${ownBcrypt.name}`);
  }

  /** Ends the threads. Nest calls this after the server has finished its requests. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  private async run<Result>(name: 'hash' | 'compare' | 'isCommon', task: unknown): Promise<Result> {
    if (this.pool.queueSize >= MAX_QUEUE) throw new TooManyPasswordsError();
    return (await this.pool.run(task, { name })) as Result;
  }
}
