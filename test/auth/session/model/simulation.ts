import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyService } from '../../../../src/apikey/api-key.service.js';
import { PasswordHasher } from '../../../../src/auth/password/password-hasher.js';
import { PasswordBulkhead } from '../../../../src/auth/password/password-bulkhead.js';
import { SigningKeys, type SigningKey } from '../../../../src/auth/token/signing-keys.js';
import { Clock } from '../../../../src/common/clock.js';

/** What the server finds around it while it answers the requests of one run. */
export interface Surroundings {
  /** Milliseconds; only ever forward from the real time, because MongoDB deletes by its own. */
  now: number;
  /** The first signs. */
  keys: readonly SigningKey[];
}

interface Context {
  readonly surroundings: Surroundings;
  readonly gate: Gate | null;
}

const contexts = new AsyncLocalStorage<Context>();

/** Holds a request back right after its password has been checked. */
export class Gate {
  readonly reached: Promise<void>;
  private readonly opened: Promise<void>;
  private reach!: () => void;
  private release!: () => void;

  constructor() {
    this.reached = new Promise((resolve) => (this.reach = resolve));
    this.opened = new Promise((resolve) => (this.release = resolve));
  }

  /** Called by the request. */
  async wait(): Promise<void> {
    this.reach();
    await this.opened;
  }

  open(): void {
    this.release();
  }
}

/** Runs requests in these surroundings, whatever other runs do meanwhile. */
export function within<Result>(
  surroundings: Surroundings,
  work: () => Promise<Result>,
  gate: Gate | null = null,
): Promise<Result> {
  return contexts.run({ surroundings, gate }, work);
}

/**
 * Makes clock, signing keys and password hashes of a server those of the run that asks, so that
 * many runs go on in one server at once, each in a time of its own. Outside of a run they stay what
 * they are.
 */
export function simulate(app: INestApplicationContext): void {
  const surroundings = (): Surroundings | undefined => contexts.getStore()?.surroundings;

  const clock = app.get(Clock);
  const realNow = clock.now.bind(clock);
  clock.now = () => {
    const run = surroundings();
    return run ? new Date(run.now) : realNow();
  };

  const keys = app.get(SigningKeys);
  const realKeys = keys.toJwks().keys.map(({ kid }) => keys.find(String(kid)));
  Object.defineProperty(keys, 'keys', { get: () => surroundings()?.keys ?? realKeys });

  const hasher = app.get(PasswordHasher);
  const hash = hasher.hash.bind(hasher);
  const matches = hasher.matches.bind(hasher);
  const isCommon = hasher.isCommon.bind(hasher);
  hasher.hash = async (password) => (surroundings() ? instantHash(password) : hash(password));
  hasher.isCommon = async (password) => (surroundings() ? false : isCommon(password));
  hasher.matches = async (password, stored) => {
    const context = contexts.getStore();
    if (!context) return matches(password, stored);
    await context.gate?.wait();
    return stored !== null && passwordOf(stored) === password;
  };

  // A run may hold several requests at their gates, and others must come by them.
  Object.assign(app.get(PasswordBulkhead)['queue']['options'], { maxConcurrent: Infinity });

  // Keys of the API are not what this is about, and each would be noted as used at a time of its
  // own with every request.
  const apiKeys = app.get(ApiKeyService);
  const verify = apiKeys.verify.bind(apiKeys);
  apiKeys.verify = async (presented) => (surroundings() ? undefined : verify(presented));
}

let salt = 0;

/**
 * Takes no time, shows its cost where bcrypt does, and is another one every time. Each second one is
 * weaker than today's setting, so that the next sign-in hashes the password anew.
 */
export function instantHash(password: string): string {
  salt += 1;
  return `$2b$${salt % 2 === 0 ? '10' : '04'}$${salt}:${password}`;
}

/** @param hash one of `instantHash` */
export function passwordOf(hash: string): string {
  return hash.slice(hash.indexOf(':') + 1);
}
