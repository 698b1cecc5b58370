import { PASSWORD, unique } from '../../../support/factories.js';
import { furtherDevice, newDevice } from '../../targets/account-targets.js';
import { OF_OWN_SESSIONS, OF_OWN_TOKENS, OF_USERS, INVALID_BODY } from '../../outcomes.js';
import {
  ACCOUNT,
  audited,
  mailed,
  EXPIRED_TOKEN,
  forIncomplete,
  KEY,
  OPEN,
  openedBy,
  SESSION,
  SIGNED_IN,
  type Call,
  type Row,
  unlessProviderOnly,
} from '../../row.js';

const email = (): string => `${unique('new')}@example.org`;
const refreshToken = ({ caller }: Call): string | undefined => caller?.refreshToken;

const PICTURE = 'https://example.org/picture.png';
const WEEK_MS = 604_800_000;
const inAWeek = (): string => new Date(Date.now() + WEEK_MS).toISOString();
const AUDITED = audited();

const REFRESH = {
  access: EXPIRED_TOKEN,
  needsNewCaller: true,
  body: { refresh_token: [refreshToken, 'no token'], refreshToken: [undefined, refreshToken] },
  effects: ['update sessions: counter, expiresAt, rotatedAt, usedAt'],
} as const;

const SIGN_OUT = {
  access: forIncomplete(SESSION),
  needsNewCaller: true,
  effects: ['delete sessions', audited('session')],
} as const;

/** Accounts, sessions, profiles, messages and what operators read. */
export const ACCOUNT_ROWS: readonly Row[] = [
  {
    route: 'POST /auth/signup/basic',
    isLimited: true,
    access: unlessProviderOnly(openedBy(KEY, 'signup')),
    ...INVALID_BODY,
    body: {
      email: [email, ({ people }: Call) => people.otherAuthor.email],
      password: [PASSWORD],
      name: ['Ada'],
      profilePicUrl: [PICTURE, undefined],
    },
    hashesPassword: true,
    effects: [
      audited(),
      ...SIGNED_IN,
      'insert users: _id, createdAt, email, epoch, name, password, profilePicUrl, roles, status, updatedAt, verified',
    ],
  },
  {
    route: 'POST /auth/signin/basic',
    isLimited: true,
    access: unlessProviderOnly(openedBy(KEY, 'account', 'desk')),
    ...INVALID_BODY,
    targets: [newDevice, furtherDevice],
    body: {
      email: [({ people }: Call) => people.userWithMaxSessions.email, 'nobody@example.org'],
      password: [PASSWORD, 'another password'],
      code: [undefined, '492039'],
    },
    hashesPassword: true,
    effects: ['delete sessions', ...SIGNED_IN],
  },
  { route: 'POST /auth/refresh', ...REFRESH },
  { route: 'POST /auth/token/refresh', ...REFRESH },
  { route: 'DELETE /auth/signout', ...SIGN_OUT },
  { route: 'POST /auth/signout', ...SIGN_OUT },
  { route: 'GET /auth/verify/apikey', access: openedBy(KEY) },
  {
    route: 'PUT /auth/password',
    isLimited: true,
    access: unlessProviderOnly(SESSION),
    ...INVALID_BODY,
    body: {
      currentPassword: [PASSWORD, 'another password'],
      newPassword: ['a new password of theirs', 'password123'],
    },
    needsNewCaller: true,
    endsOtherSession: true,
    hashesPassword: true,
    effects: [
      'delete sessions',
      audited(),
      mailed('user'),
      'update sessions: epoch',
      'update users: epoch, password, updatedAt',
    ],
  },
  { route: 'GET /auth/sessions', access: SESSION },
  {
    route: 'DELETE /auth/sessions',
    access: SESSION,
    needsNewCaller: true,
    endsOtherSession: true,
    effects: ['delete sessions', audited('count')],
  },
  {
    route: 'DELETE /auth/sessions/id/:id',
    access: SESSION,
    ...OF_OWN_SESSIONS,
    effects: ['delete sessions', audited('session')],
  },
  { route: 'GET /auth/tokens', access: SESSION },
  {
    route: 'POST /auth/tokens',
    access: SESSION,
    body: {
      name: ['nightly export'],
      roles: [[], ['LEARNER']],
      expiresAt: [inAWeek, undefined],
    },
    needsNewCaller: true,
    effects: [
      'insert access_tokens: _id, createdAt, expiresAt, name, roles, tokenHash, user',
      audited('roles'),
    ],
  },
  {
    route: 'DELETE /auth/tokens/id/:id',
    access: SESSION,
    ...OF_OWN_TOKENS,
    effects: ['delete access_tokens', AUDITED],
  },

  { route: 'GET /profile/mine', access: forIncomplete(ACCOUNT) },
  {
    route: 'PUT /profile/mine',
    access: forIncomplete(ACCOUNT),
    body: { name: ['Ada King', undefined], profilePicUrl: [PICTURE, undefined, null] },
    needsNewCaller: true,
    effects: ['update users: name, profilePicUrl, renamed.at, renamed.id, updatedAt'],
  },
  {
    route: 'PUT /profile/mine/picture',
    access: ACCOUNT,
    body: { media: [null], focus: [undefined, { x: 0.5, y: 0 }, null] },
    needsNewCaller: true,
    effects: ['update users: renamed.at, renamed.id, updatedAt'],
  },
  {
    route: 'DELETE /profile/mine',
    isLimited: true,
    access: SESSION,
    body: { password: [PASSWORD, 'another password'] },
    needsNewCaller: true,
    hashesPassword: true,
    effects: [
      'delete sessions',
      'delete users',
      'insert account_jobs: _id, count, from, isOpen, kind, requestedAt, requests',
      audited(),
      'insert deleted_accounts: _id, deletedAt',
      'update roles: guard, updatedAt',
    ],
    alsoWrites: ['factors', 'access_tokens', 'media', 'notices'],
  },
  { route: 'GET /profile/id/:id', access: ACCOUNT, ...OF_USERS },
  {
    route: 'POST /contact',
    isLimited: true,
    access: openedBy(KEY, 'contact'),
    body: { type: ['feedback'], msg: ['Well done.'] },
    effects: ['insert messages: _id, createdAt, msg, status, type, updatedAt'],
  },

  { route: 'GET /health', access: OPEN },
  { route: 'GET /health/live', access: OPEN },
  { route: 'GET /health/ready', access: OPEN },
  { route: 'GET /.well-known/jwks.json', access: OPEN },
];
