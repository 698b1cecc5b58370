import type { Access } from '../../src/platform/http/access/access.decorator.js';
import type { RoleCode } from '../../src/platform/http/access/role-code.js';
import type { Person, State } from '../support/factories.js';
import type { TestApp } from '../support/start-app.js';

/** What the parameter of a path identifies; the `_id` of the body where the path has none. */
export type ParameterKind =
  | 'nothing'
  | 'blog'
  | 'revision'
  | 'slug'
  | 'tag'
  | 'user'
  | 'api key'
  | 'session'
  | 'preview'
  | 'webhook';

/** Whose a blog is; or that it was deleted, in the state that follows. */
export type Ownership = 'own' | "other's" | 'deleted';

export type TargetKind =
  'nothing' | 'own' | "other's" | 'unknown' | 'malformed' | `${Ownership} ${State}`;

export type Outcome = 200 | 204 | 400 | 403 | 404 | 422;

/** By target: the answer to a caller who has passed key, token and role. */
export type Outcomes = Readonly<Partial<Record<TargetKind, Outcome>>>;

/** A server and people of every role, each with no other role but LEARNER. */
export interface Fixture extends TestApp {
  readonly people: Readonly<Record<RoleCode, Person>>;
  /** An author who owns nothing that a route is called with. */
  readonly otherAuthor: Person;
  /** A user with the role EDITOR. */
  readonly editor: Pick<Person, '_id'>;
  /** A user with as many sessions as there may be: a sign-in ends the oldest. */
  readonly userWithMaxSessions: Pick<Person, 'email'>;
}

export type Caller = Pick<Person, 'client' | 'accessToken' | 'refreshToken'>;

/** What a request is made for. */
export interface Call {
  readonly people: Pick<Fixture, 'otherAuthor' | 'editor' | 'userWithMaxSessions'>;
  /** Who asks; null where a key is enough. */
  readonly caller: Pick<Caller, 'refreshToken'> | null;
  /** The id, slug or tag in the path; empty where there is none. */
  readonly target: string;
}

/** Makes a value for the parameter of a path; a new one with every call. */
export type TargetFactory = (fixture: Fixture) => string | Promise<string>;

/**
 * Valid values by field, or functions of the Call that make them; the first of each makes a request
 * that succeeds, `undefined` leaves the field out.
 */
export type Choices = Readonly<Record<string, readonly unknown[]>>;

/** What the decorators of a route cannot say, and who may call it, independently of them. */
export interface Row {
  /** As the router lists it: `PUT /profile/mine`. Of a GET it holds for the HEAD as well. */
  readonly route: string;
  readonly access: Access;
  /** What the path identifies, and the status for each target; nothing and 200 when left out. */
  readonly parameter?: ParameterKind;
  readonly outcomes?: Outcomes;
  readonly body?: Choices;
  readonly query?: Choices;
  /** Headers without which every request is refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where those of `parameter` are not enough; the first succeeds. */
  readonly targets?: readonly TargetFactory[];
  /** Refused for coming too often. */
  readonly isLimited?: true;
  /** A request that succeeds ends the session or the account, so every call has one of its own. */
  readonly needsNewCaller?: true;
  /** That caller has a second session, for the request to end. */
  readonly endsOtherSession?: true;
  /** Hashing passwords takes its time, so there are fewer calls. */
  readonly hashesPassword?: true;
  /** Of writes: `insert messages: _id, type …`; the fields that a successful request changes. */
  readonly effects?: readonly string[];
  /** Collections that it changes besides, depending on what the caller owns. */
  readonly alsoWrites?: readonly string[];
}

/** A key, a token and a role in turn; each closes a route further. */
export const OPEN: Access = { apiKey: false, token: 'none', role: null };
export const KEY: Access = { apiKey: true, token: 'none', role: null };
export const TOKEN: Access = { apiKey: true, token: 'required', role: null };
/** The signature must hold, but the token may have expired. */
export const EXPIRED_TOKEN: Access = { apiKey: true, token: 'expired-ok', role: null };
export const AUTHOR: Access = { apiKey: true, token: 'required', role: 'AUTHOR' };
export const EDITOR: Access = { apiKey: true, token: 'required', role: 'EDITOR' };
export const ADMIN: Access = { apiKey: true, token: 'required', role: 'ADMIN' };

/** The query of a list with pages. */
export const PAGE = { page: [undefined, '2'], limit: [undefined, '5'] };
