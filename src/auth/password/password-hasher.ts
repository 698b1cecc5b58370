import { availableParallelism } from 'node:os';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ThreadPool } from '../../common/thread-pool.js';
import { Env } from '../../config/env.js';
import { workerCount } from '../../config/worker-count.js';
import { TooManyPasswordsError } from '../auth.errors.js';
import { costOf, ownBcrypt, type BcryptThreadData, type Comparison } from './bcrypt.worker.js';

/** Requests wait elsewhere (PasswordBulkhead); this is a bound for whatever else comes. */
const MAX_QUEUE = 50;

/** Reads are never to wait for a password, and a hash that waits for them is only a little later. */
const NICENESS = 5;

/** Hashing makes no garbage to speak of, and a thread gets as much room for it as the event loop. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/** The worker beside this file: compiled in `dist`, as it is written in tests. */
const WORKER = new URL(
  `./bcrypt.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
).href;

/**
 * How many threads a process may use: of the cores that are its share, one is left to its event
 * loop.
 *
 * @param workers the processes that share the machine
 */
export function passwordThreads(cores: number, workers: number): number {
  return Math.max(1, Math.floor(cores / workers) - 1);
}

/**
 * bcrypt at the configured cost, on threads of its own: 50 ms of work that the event loop never
 * waits for.
 *
 * Every method throws UnavailableError when too many passwords are waiting already, or when its
 * thread dies.
 */
@Injectable()
export class PasswordHasher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PasswordHasher.name);

  private readonly cost: number;

  /** How many passwords it hashes at a time. */
  readonly threads: number;

  private readonly pool: ThreadPool<unknown, unknown>;

  constructor(env: Env) {
    this.cost = env.BCRYPT_COST;
    this.threads = passwordThreads(availableParallelism(), workerCount(env));
    this.pool = new ThreadPool({
      filename: WORKER,
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

  /** @param hash null when there is no account: the work is done all the same */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const comparison: Comparison = { password, hash, cost: this.cost };
    return this.run<boolean>('compare', comparison);
  }

  /** Whether it is among the passwords that everybody tries first. */
  async isCommon(password: string): Promise<boolean> {
    return this.run<boolean>('isCommon', password);
  }

  /** Whether a stored hash is weaker than today's setting. */
  isOutdated(hash: string): boolean {
    const cost = costOf(hash);
    return cost !== null && cost < this.cost;
  }

  /** Which of the two is in use shows how long a password takes. */
  onApplicationBootstrap(): void {
    this.logger.log(`passwords are hashed by ${ownBcrypt.name}`);
  }

  /** Not earlier: the server finishes the requests that it has. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  private async run<Result>(name: 'hash' | 'compare' | 'isCommon', task: unknown): Promise<Result> {
    if (this.pool.queueSize >= MAX_QUEUE) throw new TooManyPasswordsError();
    return (await this.pool.run(task, { name })) as Result;
  }
}
