import type { RoleCode } from '../../../src/common/access/role-code.js';
import type { AccessRow } from '../../access/table.js';
import { account, person, type Person } from '../../support/factories.js';
import { openSession } from '../../support/sessions.js';
import type { TestApp } from '../../support/start-app.js';

/** A server and people of every role, each with no other role but LEARNER. */
export interface Stage extends TestApp {
  readonly people: Readonly<Record<RoleCode, Person>>;
  /** An author who owns nothing that an endpoint is called with. */
  readonly stranger: Person;
  /** Somebody with as many sessions as there may be: a sign-in ends the oldest. */
  readonly visitor: Pick<Person, 'email'>;
}

const MAX_SESSIONS = 20;

export async function openStage(server: TestApp): Promise<Stage> {
  const people = {
    LEARNER: await person(server),
    AUTHOR: await person(server, 'AUTHOR'),
    EDITOR: await person(server, 'EDITOR'),
    ADMIN: await person(server, 'ADMIN'),
  };
  const visitor = await account(server);
  for (let count = 0; count < MAX_SESSIONS; count++) await openSession(server, visitor);
  return { ...server, people, stranger: await person(server, 'AUTHOR'), visitor };
}

export type Caller = Pick<Person, 'client' | 'accessToken' | 'refreshToken'>;

/** What a request is made of before it is sent. */
export interface Call {
  readonly stage: Stage;
  /** Who asks; null where a key is enough. */
  readonly caller: Caller | null;
  /** The id, slug or tag in the path; empty where there is none. */
  readonly target: string;
}

/** A value of a field: itself, or made for the call. `undefined` leaves the field out. */
export type Value = unknown;

/** Honest values by field; the first of each makes a request that succeeds. */
export type Choices = Readonly<Record<string, readonly Value[]>>;

/** What honest clients send to a route, and what a write may change. */
export interface Endpoint {
  /** As in the router's listing: `PUT /profile/mine`. */
  readonly route: string;
  /** What stands for the parameter of the path, the first succeeds; fresh with every call. */
  readonly targets?: readonly ((stage: Stage) => string | Promise<string>)[];
  readonly body?: Choices;
  readonly query?: Choices;
  readonly headers?: Choices;
  /** A request that succeeds ends the session or the account, so every call has one of its own. */
  readonly spendsCaller?: true;
  /** That caller has a second session, for the request to end. */
  readonly endsOtherSession?: true;
  /** Hashing passwords takes its time, so there are fewer calls. */
  readonly hashes?: true;
  /** Writes only: `insert messages: _id, type …`; the fields that a successful request changes. */
  readonly effects?: readonly string[];
}

/** One value of each field. */
export type Fields = Readonly<Record<string, Value>>;

/** Every combination of the choices; the first succeeds. */
export function combinations(choices: Choices = {}): Fields[] {
  return Object.entries(choices).reduce<Fields[]>(
    (partial, [field, values]) =>
      partial.flatMap((fields) => values.map((value) => ({ ...fields, [field]: value }))),
    [{}],
  );
}

/** The values that are made for the call, made. */
export function resolve(fields: Fields, call: Call): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([field, value]) => [
        field,
        typeof value === 'function' ? (value as (call: Call) => unknown)(call) : value,
      ])
      .filter(([, value]) => value !== undefined),
  ) as Record<string, unknown>;
}

/**
 * Someone who may use the endpoint, or who has another role; their own account and session where a
 * request uses those up.
 */
export async function callerOf(
  stage: Stage,
  { role, token }: Pick<AccessRow, 'role' | 'token'>,
  { spendsCaller, endsOtherSession }: Pick<Endpoint, 'spendsCaller' | 'endsOtherSession'>,
  other?: RoleCode,
): Promise<Caller | null> {
  if (token === 'none' && other === undefined) return null;
  const held = other ?? role ?? 'LEARNER';
  if (!spendsCaller) return stage.people[held];
  const owner = await account(stage, held);
  if (endsOtherSession) await openSession(stage, owner);
  return openSession(stage, owner);
}

/** The path of a route with this in place of its parameter. */
export function pathOf(route: string, target: string): string {
  const path = route.slice(route.indexOf(' ') + 1);
  return path.replace(/:\w+/, () => encodeURIComponent(target));
}
