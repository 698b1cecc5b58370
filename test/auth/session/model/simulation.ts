import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyService } from '../../../../src/apikey/api-key.service.js';
import { ALL_SCOPES } from '../../../../src/platform/http/access/key-scopes/key-scope.js';
import { PasswordHasher } from '../../../../src/auth/password/password-hasher.js';
import { PasswordBulkhead } from '../../../../src/auth/password/password-bulkhead.js';
import { SigningKeys, type SigningKey } from '../../../../src/auth/keys/signing-keys.js';
import { Clock } from '../../../../src/platform/clock.js';

/** Clock and keys that the server uses for the requests of a run. */
export interface Environment {
  /** In milliseconds. Never earlier than the real time, by which MongoDB deletes expired records. */
  now: number;
  /** The first key signs. */
  keys: readonly SigningKey[];
}

interface Context {
  readonly environment: Environment;
  readonly breakpoint: Breakpoint | null;
}

const contexts = new AsyncLocalStorage<Context>();

/** Holds a request in its password check, after it has read the stored hash. */
export class Breakpoint {
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

/** Runs requests in this environment, in an asynchronous context of their own. */
export function runIn<Result>(
  environment: Environment,
  work: () => Promise<Result>,
  breakpoint: Breakpoint | null = null,
): Promise<Result> {
  return contexts.run({ environment, breakpoint }, work);
}

/**
 * Gives the requests of a run the clock and the signing keys of that run, so that several runs can share a
 * server. These requests need no API key, and their passwords are hashed instantly. For other requests, only
 * the limit of the bulkhead changes.
 */
export function simulate(app: INestApplicationContext): void {
  const environment = (): Environment | undefined => contexts.getStore()?.environment;

  const clock = app.get(Clock);
  const realNow = clock.now.bind(clock);
  clock.now = () => {
    const run = environment();
    return run ? new Date(run.now) : realNow();
  };

  const keys = app.get(SigningKeys);
  const realKeys = keys.toJwks().keys.map(({ kid }) => keys.find(String(kid)));
  Object.defineProperty(keys, 'keys', { get: () => environment()?.keys ?? realKeys });

  const hasher = app.get(PasswordHasher);
  const hash = hasher.hash.bind(hasher);
  const matches = hasher.matches.bind(hasher);
  const isCommon = hasher.isCommon.bind(hasher);
  hasher.hash = async (password) => (environment() ? instantHash(password) : hash(password));
  hasher.isCommon = async (password) => (environment() ? false : isCommon(password));
  hasher.matches = async (password, stored) => {
    const context = contexts.getStore();
    if (!context) return matches(password, stored);
    await context.breakpoint?.wait();
    return stored !== null && passwordOf(stored) === password;
  };

  // A run may hold several requests at a breakpoint, and others must still get a slot.
  Object.assign(app.get(PasswordBulkhead)['options'], { maxConcurrent: Infinity });

  // API keys are not tested here, and each request would store a `lastUsedAt` of its own clock.
  const apiKeys = app.get(ApiKeyService);
  const verify = apiKeys.verify.bind(apiKeys);
  apiKeys.verify = async (presented) => (environment() ? ALL_SCOPES : verify(presented));
}

let salt = 0;

/**
 * A unique fake hash that states its cost in the place where bcrypt does. Every second hash has a lower
 * cost than the setting, so that the next sign-in rehashes the password.
 */
export function instantHash(password: string): string {
  salt += 1;
  return `$2b$${salt % 2 === 0 ? '10' : '04'}$${salt}:${password}`;
}

/** @param hash a result of `instantHash` */
export function passwordOf(hash: string): string {
  return hash.slice(hash.indexOf(':') + 1);
}
