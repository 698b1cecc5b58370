import type { Access } from '../../src/platform/http/access/access.decorator.js';
import { NO_SCOPE, scopesIn } from '../../src/platform/http/access/key-scopes/key-scope.js';
import type { RoleCode } from '../../src/platform/http/access/role-code.js';
import { STATES } from '../support/factories.js';
import { cycled, isLong } from '../support/scale.js';
import type { ParameterKind, Outcome, TargetKind, Ownership } from '../routes/row.js';
import type { Route } from '../routes/routes.js';

/** The expected parts of a refusal. */
export interface Refusal {
  readonly status: number;
  readonly code: '10001' | '10003';
  readonly message: RegExp | string;
  /** The header `instruction`. */
  readonly instruction?: 'refresh_token';
}

function refusal(status: number, message: string, code: Refusal['code'] = '10001'): Refusal {
  return { status, code, message };
}

const MISSING_KEY = refusal(401, 'permission denied: missing x-api-key header');
const INVALID_KEY = refusal(403, 'permission denied: invalid x-api-key');
const NO_TOKEN = 'missing access token: send it as "Authorization: Bearer <token>"';
const MISSING_TOKEN = refusal(401, NO_TOKEN, '10003');
const INVALID_TOKEN = refusal(401, 'invalid access token', '10003');
const ENDED_SESSION = refusal(
  401,
  'the session has ended (time, sign-out, new password, or 20 newer sessions): sign in again',
  '10003',
);
const EXPIRED_TOKEN: Refusal = {
  ...refusal(401, 'access token has expired', '10003'),
  instruction: 'refresh_token',
};
const SESSION_NEEDED = refusal(403, 'sign in: a personal access token cannot do this');
const MISSING_ROLE = refusal(403, 'permission denied: does not have sufficient role');

/** The first axis: the API keys, each with the refusal by a route that requires a key; null for the valid ones. */
export const KEYS = {
  none: MISSING_KEY,
  empty: MISSING_KEY,
  unknown: INVALID_KEY,
  'with a wrong checksum': INVALID_KEY,
  'too long': INVALID_KEY,
  disabled: INVALID_KEY,
  expired: INVALID_KEY,
  // It opens the routes that every valid key opens.
  'without a scope': null,
  good: null,
} as const satisfies Readonly<Record<string, Refusal | null>>;

export type KeyName = keyof typeof KEYS;

interface TokenKind {
  /** The refusal by a route that requires a token; null if the token is valid. */
  readonly refusal: Refusal | null;
  readonly roles: readonly RoleCode[];
  /** Whether it is a personal access token, which routes that need a session refuse. */
  readonly isPersonal?: true;
}

const EVERY_ROLE: readonly RoleCode[] = ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN'];

/** The second axis: the tokens. The first seven are invalid; their users have every role, so nothing else is wrong. */
export const TOKENS = {
  none: { refusal: MISSING_TOKEN, roles: EVERY_ROLE },
  malformed: { refusal: INVALID_TOKEN, roles: EVERY_ROLE },
  'with a foreign signature': { refusal: INVALID_TOKEN, roles: EVERY_ROLE },
  expired: { refusal: EXPIRED_TOKEN, roles: EVERY_ROLE },
  'signed out': { refusal: ENDED_SESSION, roles: EVERY_ROLE },
  'of a disabled user': { refusal: ENDED_SESSION, roles: EVERY_ROLE },
  'of an earlier epoch': { refusal: ENDED_SESSION, roles: EVERY_ROLE },
  'personal of a LEARNER': { refusal: null, roles: ['LEARNER'], isPersonal: true },
  'personal of an AUTHOR': { refusal: null, roles: ['AUTHOR'], isPersonal: true },
  'personal of an EDITOR': { refusal: null, roles: ['EDITOR'], isPersonal: true },
  'personal of an ADMIN': { refusal: null, roles: ['ADMIN'], isPersonal: true },
  'of no role': { refusal: null, roles: [] },
  'of a LEARNER': { refusal: null, roles: ['LEARNER'] },
  'of an AUTHOR': { refusal: null, roles: ['AUTHOR'] },
  'of an EDITOR': { refusal: null, roles: ['EDITOR'] },
  'of an ADMIN': { refusal: null, roles: ['ADMIN'] },
} as const satisfies Readonly<Record<string, TokenKind>>;

export type TokenName = keyof typeof TOKENS;

const OWNERSHIPS: readonly Ownership[] = ['own', "other's", 'deleted'];
const BLOG_TARGETS: readonly TargetKind[] = OWNERSHIPS.flatMap((ownership) =>
  STATES.map((state) => `${ownership} ${state}` as const),
);
const RECORD_TARGETS: readonly TargetKind[] = ['own', "other's", 'unknown', 'malformed'];

/** The third axis: the owner and the state of the record in the path, or that there is no such record. */
export const TARGET_KINDS: Readonly<Record<ParameterKind, readonly TargetKind[]>> = {
  nothing: ['nothing'],
  blog: [...BLOG_TARGETS, 'unknown', 'malformed'],
  revision: [...BLOG_TARGETS, 'unknown', 'malformed'],
  slug: [...BLOG_TARGETS, 'unknown'],
  tag: ['unknown'],
  user: RECORD_TARGETS,
  'api key': RECORD_TARGETS,
  webhook: RECORD_TARGETS,
  job: RECORD_TARGETS,
  invitation: RECORD_TARGETS,
  factor: RECORD_TARGETS,
  session: RECORD_TARGETS,
  token: RECORD_TARGETS,
  preview: ["other's", 'unknown', 'malformed'],
  media: RECORD_TARGETS,
  picture: ['own', 'unknown', 'malformed'],
};

export const KEY_NAMES = Object.keys(KEYS) as KeyName[];
export const TOKEN_NAMES = Object.keys(TOKENS) as TokenName[];

/** A request for a route with one key, one token and one record. */
export interface Case {
  readonly route: Route;
  readonly key: KeyName;
  readonly token: TokenName;
  readonly target: TargetKind;
}

/** A key and a token. */
export type Credentials = Pick<Case, 'key' | 'token'>;

const CREDENTIALS: readonly Credentials[] = KEY_NAMES.flatMap((key) =>
  TOKEN_NAMES.map((token) => ({ key, token })),
);

/** A key and a token that pass every check of a route. */
export function validCredentials(route: Route): Credentials {
  const target = servedTarget(route);
  // An open route also accepts invalid pairs. The last pair that it accepts is valid.
  const lastAccepted = CREDENTIALS.findLast((pair) => {
    const outcome = expectedOf({ route, ...pair, target });
    return outcome !== null && outcome.status === route.outcomes[target];
  });
  if (!lastAccepted) throw new Error(`no key and token pass ${route.route}`);
  return lastAccepted;
}

/** The first target with status 200, or the first target if there is none. */
export function servedTarget({ parameter, outcomes }: Route): TargetKind {
  const targets = TARGET_KINDS[parameter];
  return targets.find((target) => outcomes[target] === 200) ?? targets[0] ?? 'nothing';
}

/**
 * The cases of a route. In `npm test`: every target with valid credentials; every other token with the good
 * key, and every other key with some token. Most of these other pairs are refused before the target is read, so
 * each is sent with one target, or with more if there are more targets than pairs. In `npm run test:long`:
 * every key with every token and every target.
 *
 * @param shift the index of the route, so that routes combine keys, tokens and targets differently
 */
export function casesOf(route: Route, shift = 0): Case[] {
  const targets = TARGET_KINDS[route.parameter];
  const product = (credentials: readonly Credentials[]): Case[] =>
    credentials.flatMap((pair) => targets.map((target) => ({ route, ...pair, target })));
  if (isLong) return product(CREDENTIALS);
  const valid = validCredentials(route);
  const others = [
    ...TOKEN_NAMES.filter((token) => token !== valid.token).map((token): Credentials => ({
      key: 'good',
      token,
    })),
    ...KEY_NAMES.filter((key) => key !== 'good').map((key, index) => ({
      key,
      token: cycled(TOKEN_NAMES, index + shift),
    })),
  ];
  const count = Math.max(others.length, targets.length);
  const once = Array.from({ length: count }, (_, index) => ({
    route,
    ...cycled(others, index),
    target: cycled(targets, index + shift),
  }));
  return [...product([valid]), ...once];
}

/**
 * The outcome that a case should have according to the row of its route. The server checks in this order:
 * key, token, role, path, body, ownership, state.
 *
 * @returns null when the row has no outcome for the case
 */
export function expectedOf({
  route: { access, parameter, outcomes },
  key,
  token,
  target,
}: Case): Refusal | { status: 200 | 204 } | null {
  const keyRefusal = KEYS[key];
  if (access.apiKey && keyRefusal) return keyRefusal;
  if (key === 'without a scope' && access.scopes !== NO_SCOPE) return missingScope(access);
  const { refusal: tokenRefusal, roles, isPersonal }: TokenKind = TOKENS[token];
  const isAccepted = access.token === 'expired-ok' && tokenRefusal === EXPIRED_TOKEN;
  if (access.token !== 'none' && tokenRefusal && !isAccepted) return tokenRefusal;
  const needsSession = access.token === 'session' || access.token === 'expired-ok';
  if (isPersonal && needsSession) return SESSION_NEEDED;
  if (access.roles.length > 0 && !access.roles.some((role) => roles.includes(role))) {
    return MISSING_ROLE;
  }
  const outcome = outcomes[target];
  if (outcome === undefined) return null;
  if (outcome === 200 || outcome === 204) return { status: outcome };
  return { status: outcome, code: '10001', message: messageOf(outcome, parameter, target) };
}

function missingScope({ scopes }: Access): Refusal {
  return refusal(403, `permission denied: the API key lacks the scope ${scopesIn(scopes)[0]}`);
}

const NOT_FOUND: Readonly<Record<ParameterKind, string | RegExp>> = {
  // The servers of these tests have no provider.
  nothing: /^there is no single sign-on here/,
  blog: 'blog not found',
  // A blog that was never submitted has no revision.
  revision: /^(blog|revision) not found$/,
  slug: 'blog not found',
  tag: 'not found: no such path',
  user: /^(user|author) not found$/,
  'api key': 'api key not found',
  webhook: 'webhook not found',
  job: 'job not found',
  invitation: 'invitation not found',
  factor: 'factor not found',
  session: 'session not found',
  token: 'token not found',
  preview: 'preview not found',
  media: 'there is no such picture, or it is not for you',
  picture: /^(there is no such picture, or it is not for you|not found: no such path)$/,
};

function messageOf(
  outcome: Exclude<Outcome, 200 | 204>,
  parameter: ParameterKind,
  target: TargetKind,
): RegExp | string {
  if (outcome === 403) return 'the comment is not yours: reply to it or resolve it instead';
  if (outcome === 404) return NOT_FOUND[parameter];
  if (outcome === 422) return /^validation error: /;
  // A path with two ids gets the same malformed text for both.
  if (target === 'malformed') return /^(\w+ must be 24 hexadecimal characters(, |$))+$/;
  const [, state = ''] = /^\S+ (.+)$/.exec(target) ?? [];
  return new RegExp(
    `: it is ${state}(; submit it first| without edits, so there is nothing to submit)?$|^blog is under review: withdraw it first$`,
  );
}
