import { inspect, isDeepStrictEqual } from 'node:util';
import { Types } from 'mongoose';
import type { SigningKey } from '../../../../src/auth/keys/signing-keys.js';
import type { TestApp } from '../../../support/start-app.js';
import { probe, signIn } from './operations.js';
import { probePersonal } from './proofs.js';
import {
  advanceTo,
  begin,
  finish,
  compareAndStore,
  statesAfterBoth,
  type Running,
} from './interleavings.js';
import type { Observed, Operation } from './requests.js';
import { Breakpoint, passwordOf, runIn, type Environment } from './simulation.js';
import { at, type Account, type Lifetimes, type State } from './state.js';

/** A request that waits at its breakpoint. */
interface Held {
  readonly running: Running;
  readonly breakpoint: Breakpoint;
  readonly answer: Promise<Observed>;
}

/** Keys that a run can introduce and retire. */
export type KeyRing = readonly SigningKey[];

/** A run executes each command on the model and on the server, and compares the two. */
export class Run {
  state: State;
  /** The executed commands, for the report of a failure. */
  readonly history: string[] = [];
  readonly held: Held[] = [];
  private readonly environment: Environment;

  constructor(
    private readonly server: Pick<TestApp, 'app' | 'db'>,
    lifetimes: Lifetimes,
    private readonly keyRing: KeyRing,
    accounts: Account[],
  ) {
    const now = Date.now();
    this.environment = { now, keys: keyRing.slice(0, 1) };
    this.state = {
      lifetimes,
      now,
      accounts,
      sessions: [],
      accessTokens: [],
      refreshTokens: [],
      personalTokens: [],
      keys: keyRing.slice(0, 1).map(({ kid }) => kid),
    };
  }

  /** Most commands need a session, so each run begins with a sign-in. */
  async signIn(): Promise<void> {
    await this.perform(signIn(this.state, 0, at(this.state.accounts, 0).password));
  }

  moveTo(time: number): void {
    this.history.push(`${time - this.state.now} ms pass`);
    this.state.now = time;
    this.environment.now = time;
  }

  /** Changes the signing keys. An operator needs a restart for this; here running requests continue. */
  setKeys(kids: readonly string[]): void {
    this.history.push(`the keys are ${kids.map((kid) => kid.slice(0, 4)).join(', ')}`);
    this.state.keys = kids;
    this.environment.keys = kids.flatMap((kid) => this.keyRing.filter((key) => key.kid === kid));
  }

  /** The id of a key that is not configured now; null when all are. */
  unusedKid(): string | null {
    return this.keyRing.find(({ kid }) => !this.state.keys.includes(kid))?.kid ?? null;
  }

  async perform(operation: Operation): Promise<void> {
    this.history.push(operation.label);
    this.finishAndCompare(begin(operation), await this.send(operation));
  }

  /** Sends both concurrently. @param turns number of turns of the event loop before the second request */
  async performBoth(first: Operation, second: Operation, turns: number): Promise<void> {
    this.history.push(`at once: ${first.label} | ${second.label}`);
    const sent = [first, second].map(async (operation, index) => {
      for (let turn = 0; turn < index * turns; turn++) await new Promise(setImmediate);
      return this.send(operation);
    });
    const observed = (await Promise.all(sent)) as [Observed, Observed];
    const pair: [Running, Running] = [begin(first), begin(second)];
    const states = statesAfterBoth(this.state, pair, observed);
    if (states.length === 0) this.fail(`no order explains ${inspect(observed)}`);
    this.state = await this.selectStored(states);
  }

  /** Selects the state that fits the stored records, which may differ between orders with the same responses. */
  private async selectStored(states: readonly State[]): Promise<State> {
    const expected = states.map(expectedOf);
    const stored = expected.every((one) => isDeepStrictEqual(one, expected[0]))
      ? expected[0]
      : await this.stored();
    const index = expected.findIndex((one) => isDeepStrictEqual(one, stored));
    return states[index] ?? this.fail(`no order stores ${inspect(stored, { depth: 5 })}`);
  }

  /** Sends a request, and waits until it is held at its breakpoint or has a response. */
  async hold(operation: Operation): Promise<void> {
    this.history.push(`hold: ${operation.label}`);
    const breakpoint = new Breakpoint();
    const answer = this.send(operation, breakpoint);
    const isHeld = await Promise.race([
      breakpoint.reached.then(() => true),
      answer.then(() => false),
    ]);
    const running = begin(operation);
    advanceTo(this.state, running, operation.stepsBeforeBreakpoint ?? 0);
    if (isHeld) this.held.push({ running, breakpoint, answer });
    else this.finishAndCompare(running, await answer);
  }

  async resume(index: number): Promise<void> {
    const [held] = this.held.splice(index, 1);
    if (!held) return;
    this.history.push(`resume: ${held.running.operation.label}`);
    held.breakpoint.open();
    this.finishAndCompare(held.running, await held.answer);
  }

  /** Compares all issued access tokens and all stored records with the model. */
  async end(): Promise<void> {
    while (this.held.length > 0) await this.resume(0);
    const { accessTokens, personalTokens } = this.state;
    const probes = [...accessTokens.map(probe), ...personalTokens.map(probePersonal)];
    const answers = await Promise.all(probes.map((operation) => this.send(operation)));
    for (const [index, operation] of probes.entries()) {
      this.history.push(`at the end, token ${index}: ${operation.label}`);
      this.finishAndCompare(begin(operation), answers[index] as Observed);
      this.history.pop();
    }
    const stored = await this.stored();
    const expected = expectedOf(this.state);
    if (isDeepStrictEqual(stored, expected)) return;
    this.fail(`stored are ${inspect(stored)}\nexpected ${inspect(expected)}`);
  }

  private send(operation: Operation, breakpoint: Breakpoint | null = null): Promise<Observed> {
    return runIn(this.environment, () => operation.send(this.server.app), breakpoint);
  }

  private finishAndCompare(running: Running, observed: Observed): void {
    const problem = compareAndStore(this.state, finish(this.state, running), observed);
    if (problem !== null) this.fail(problem);
  }

  /** The stored records of the run's accounts and of their sessions. */
  private async stored(): Promise<Stored> {
    const ids = this.state.accounts.map(({ id }) => new Types.ObjectId(id));
    const found = await this.server.db
      .collection('sessions')
      .aggregate([
        { $match: { user: { $in: ids } } },
        { $unionWith: { coll: 'users', pipeline: [{ $match: { _id: { $in: ids } } }] } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    const users = found.filter((one) => 'email' in one);
    const sessions = found.filter((one) => 'user' in one);
    return {
      accounts: users.map(({ _id, epoch, status, password }) => [
        _id.toHexString(),
        epoch,
        status,
        passwordOf(String(password)),
      ]),
      sessions: Object.fromEntries(
        sessions.map(({ _id, user, epoch, counter, factor, ...times }) => {
          const { createdAt, usedAt, rotatedAt, expiresAt } = times as Record<
            string,
            Date | undefined
          >;
          const inMs = [createdAt, usedAt, rotatedAt, expiresAt].map(
            (time) => time?.getTime() ?? null,
          );
          return [_id.toHexString(), [String(user), epoch, counter, factor ?? null, ...inMs]];
        }),
      ),
    };
  }

  private fail(problem: string): never {
    throw new Error(`${problem}\n${this.history.map((line) => `- ${line}`).join('\n')}`);
  }
}

interface Stored {
  readonly accounts: readonly unknown[];
  readonly sessions: Readonly<Record<string, unknown>>;
}

function expectedOf({ sessions, accounts }: State): Stored {
  const existing = accounts.filter(({ exists }) => exists);
  return {
    accounts: existing
      .map(({ id, epoch, isEnabled, password }) => [id, epoch, isEnabled, password] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    sessions: Object.fromEntries(
      sessions
        .filter(({ isStored }) => isStored)
        .map(({ sid, account, epoch, counter, hasFactor, ...times }) => {
          const { createdAt, usedAt, rotatedAt, expiresAt } = times;
          const factor = hasFactor ? 'totp' : null;
          const id = accounts[account]?.id;
          return [sid, [id, epoch, counter, factor, createdAt, usedAt, rotatedAt, expiresAt]];
        }),
    ),
  };
}
