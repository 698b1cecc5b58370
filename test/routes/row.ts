import { Types } from 'mongoose';
import type { Access } from '../../src/platform/http/access/access.decorator.js';
import {
  bitsOf,
  NO_SCOPE,
  type KeyScope,
} from '../../src/platform/http/access/key-scopes/key-scope.js';
import type { RoleCode } from '../../src/platform/http/access/role-code.js';
import { encodeCursor } from '../../src/platform/http/pagination/cursor.js';
import type { Person, State } from '../support/factories.js';
import type { TestApp } from '../support/start-app.js';

/** What the parameter of a path identifies, or the `_id` of the body if the path has no parameter. */
export type ParameterKind =
  | 'nothing'
  | 'blog'
  | 'revision'
  | 'slug'
  | 'tag'
  | 'user'
  | 'api key'
  | 'session'
  | 'token'
  | 'preview'
  | 'webhook'
  | 'invitation'
  | 'factor'
  | 'job'
  | 'media'
  | 'picture';

/** Who owns a blog that is in a state; or `deleted` for an own blog that was deleted in this state. */
export type Ownership = 'own' | "other's" | 'deleted';

export type TargetKind =
  'nothing' | 'own' | "other's" | 'unknown' | 'malformed' | `${Ownership} ${State}`;

export type Outcome = 200 | 204 | 400 | 403 | 404 | 422;

/** The status for a caller who has passed the checks of key, token and role, by target. */
export type Outcomes = Readonly<Partial<Record<TargetKind, Outcome>>>;

/** A server and a person of each role, with no further role but LEARNER. */
export interface Fixture extends TestApp {
  readonly people: Readonly<Record<RoleCode, Person>>;
  /** Another author than the AUTHOR of `people`. */
  readonly otherAuthor: Person;
  /** A user with the role EDITOR. */
  readonly editor: Pick<Person, '_id'>;
  /** A user with as many sessions as there may be: a sign-in ends the oldest. */
  readonly userWithMaxSessions: Pick<Person, '_id' | 'email'>;
}

export type Caller = Pick<Person, 'client' | 'accessToken' | 'refreshToken'>;

/** What a value of a request may depend on. */
export interface Call {
  readonly people: Pick<Fixture, 'otherAuthor' | 'editor' | 'userWithMaxSessions'>;
  /** Who sends the request; null if a key is enough. */
  readonly caller: Pick<Caller, 'refreshToken'> | null;
  /** The value for the parameter of the path or for the `_id` of the body; empty if there is neither. */
  readonly target: string;
}

/** Makes a target: a value for the parameter of a path, or for the `_id` of the body. */
export type TargetFactory = (fixture: Fixture) => string | Promise<string>;

/**
 * Valid values by field. A function makes the value for a Call, and `undefined` leaves the field out. A
 * request with the first value of every field succeeds.
 */
export type Choices = Readonly<Record<string, readonly unknown[]>>;

/** What the tests know of a route: its access, which its decorators declare too, and what they cannot declare. */
export interface Row {
  /** The route as the router lists it, such as `PUT /profile/mine`. The row of a GET also describes its HEAD. */
  readonly route: string;
  readonly access: Access;
  /** 'nothing' by default. */
  readonly parameter?: ParameterKind;
  /** 200 for the target 'nothing' by default. */
  readonly outcomes?: Outcomes;
  readonly body?: Choices;
  readonly query?: Choices;
  /** Headers without which every request is refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Targets instead of those of `parameter`. A request with the first target succeeds. */
  readonly targets?: readonly TargetFactory[];
  /** The route has a rate limit. */
  readonly isLimited?: true;
  /** A request that succeeds changes or ends the session or the account, so every call has a new caller. */
  readonly needsNewCaller?: true;
  /** The new caller has a second session, which the request ends. */
  readonly endsOtherSession?: true;
  /** Tests make fewer calls, because hashing a password takes long. */
  readonly hashesPassword?: true;
  /** The fields that a successful write changes, by collection: `insert messages: _id, type …`. */
  readonly effects?: readonly string[];
  /** Collections that a write also changes for some targets or callers. */
  readonly alsoWrites?: readonly string[];
}

/** Access from open to closed: nothing is required, then a key, a token and a role. */
export const OPEN: Access = {
  apiKey: false,
  token: 'none',
  roles: [],
  scopes: NO_SCOPE,
  isForIncomplete: true,
};
export const KEY: Access = { ...OPEN, apiKey: true, scopes: bitsOf(['read']) };
const TOKEN: Access = {
  ...KEY,
  token: 'required',
  scopes: bitsOf(['desk']),
  isForIncomplete: false,
};
export const AUTHOR: Access = { ...TOKEN, roles: ['AUTHOR'] };
export const EDITOR: Access = { ...TOKEN, roles: ['EDITOR'] };
export const ADMIN: Access = { ...TOKEN, roles: ['ADMIN'] };

/** The access with other scopes of the key than those that follow from the rest of it. */
export function openedBy(access: Access, ...scopes: readonly KeyScope[]): Access {
  return { ...access, scopes: bitsOf(scopes) };
}

/** The own account. */
export const ACCOUNT: Access = openedBy(TOKEN, 'account', 'desk');
/** The own account, not with a personal access token. */
export const SESSION: Access = { ...ACCOUNT, token: 'session' };
/** The signature must be valid, but the token may have expired. */
export const EXPIRED_TOKEN: Access = {
  ...ACCOUNT,
  token: 'expired-ok',
  isForIncomplete: true,
};
/** Opens an access to accounts, too, that have to confirm their address or enrol a second factor. */
export const forIncomplete = (access: Access): Access => ({ ...access, isForIncomplete: true });
/** Closes an access with OIDC_ONLY=on. */
export const unlessProviderOnly = (access: Access): Access => ({
  ...access,
  isUnlessProviderOnly: true,
});
/** Everybody with a key for accounts or the desk. */
export const LINK: Access = openedBy(KEY, 'account', 'desk');

/**
 * The effect of a record in the audit log.
 *
 * @param details the names of its details
 */
export function audited(...details: readonly string[]): string {
  const paths = details.map((name) => `details.${name}`);
  return `insert audit: ${['_id', 'actor', 'at', 'clientPrefix', ...paths, 'kind', 'sealableAt', 'subject'].join(', ')}`;
}

/**
 * The effect of a mail in the outbox.
 *
 * @param fields the fields that not every mail has: `linkExpiresAt`, `user`
 */
export function mailed(...fields: readonly ('linkExpiresAt' | 'user')[]): string {
  const contents = ['data', 'iv', 'kid', 'tag'].map((name) => `contents.${name}`);
  const all = ['_id', 'attempts', ...contents, 'createdAt', 'kind', 'nextAt', 'state', ...fields];
  return `insert mails: ${all.sort().join(', ')}`;
}

/** The effects of a sign-in. */
export const SIGNED_IN: readonly string[] = [
  'insert known_devices: _id, createdAt, user',
  'insert sessions: _id, addressPrefix, counter, createdAt, epoch, expiresAt, usedAt, user, userAgent',
];

/** The cursor of a list that goes by time. */
export const CURSOR = [
  undefined,
  encodeCursor({ at: new Date(1_700_000_000_000), id: new Types.ObjectId() }),
];

/** The query of a list with pages. */
export const PAGE = { page: [undefined, '2'], limit: [undefined, '5'] };
