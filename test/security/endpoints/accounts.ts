import { account, PASSWORD, unique, unknownId } from '../../support/factories.js';
import { openSession } from '../../support/sessions.js';
import type { Call, Endpoint, Stage } from './endpoint.js';

const email = (): string => `${unique('new')}@example.org`;
const someone = async (stage: Stage): Promise<string> => (await account(stage))._id;
const refreshToken = ({ caller }: Call): string | undefined => caller?.refreshToken;
/** Of the one who asks: routes without a role are called by a learner. */
const ownSession = async (stage: Stage): Promise<string> =>
  (await openSession(stage, stage.people.LEARNER)).sid;
const nobody = { targets: [someone, unknownId] };

const PAGE = { page: [undefined, '2'], limit: [undefined, '5'] };
const PICTURE = 'https://example.org/picture.png';
const SESSION = '_id, addressPrefix, counter, createdAt, epoch, expiresAt, usedAt, user, userAgent';

const REFRESH = {
  spendsCaller: true,
  body: { refresh_token: [refreshToken, 'no token'], refreshToken: [undefined, refreshToken] },
  effects: ['update sessions: counter, expiresAt, rotatedAt, usedAt'],
} as const;

const SIGN_OUT = { spendsCaller: true, effects: ['delete sessions'] } as const;

/** Sign-up, sign-in, sessions, profiles, messages (contract, sections 3 and 10). */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  {
    route: 'POST /auth/signup/basic',
    body: {
      email: [email, ({ stage }: Call) => stage.stranger.email],
      password: [PASSWORD],
      name: ['Ada'],
      profilePicUrl: [PICTURE, undefined],
    },
    hashes: true,
    effects: [
      `insert sessions: ${SESSION}`,
      'insert users: _id, createdAt, email, epoch, name, password, profilePicUrl, roles, status, updatedAt, verified',
    ],
  },
  {
    route: 'POST /auth/signin/basic',
    body: {
      email: [({ stage }: Call) => stage.visitor.email, 'nobody@example.org'],
      password: [PASSWORD, 'another password'],
    },
    hashes: true,
    effects: ['delete sessions', `insert sessions: ${SESSION}`],
  },
  { route: 'POST /auth/refresh', ...REFRESH },
  { route: 'POST /auth/token/refresh', ...REFRESH },
  { route: 'DELETE /auth/signout', ...SIGN_OUT },
  { route: 'POST /auth/signout', ...SIGN_OUT },
  { route: 'GET /auth/verify/apikey' },
  {
    route: 'PUT /auth/password',
    body: {
      currentPassword: [PASSWORD, 'another password'],
      newPassword: ['a new password of theirs', 'password123'],
    },
    spendsCaller: true,
    endsOtherSession: true,
    hashes: true,
    effects: [
      'delete sessions',
      'update sessions: epoch',
      'update users: epoch, password, updatedAt',
    ],
  },
  { route: 'GET /auth/sessions' },
  {
    route: 'DELETE /auth/sessions',
    spendsCaller: true,
    endsOtherSession: true,
    effects: ['delete sessions'],
  },
  {
    route: 'DELETE /auth/sessions/id/:id',
    targets: [ownSession, unknownId],
    effects: ['delete sessions'],
  },

  { route: 'GET /profile/mine' },
  {
    route: 'PUT /profile/mine',
    body: { name: ['Ada King', undefined], profilePicUrl: [PICTURE, undefined, null] },
    spendsCaller: true,
    effects: ['update users: name, profilePicUrl, updatedAt'],
  },
  {
    route: 'DELETE /profile/mine',
    body: { password: [PASSWORD, 'another password'] },
    spendsCaller: true,
    hashes: true,
    effects: [
      'delete sessions',
      'delete users',
      'insert deleted_accounts: _id, deletedAt',
      'update roles: guard, updatedAt',
    ],
  },
  { route: 'GET /profile/id/:id', ...nobody },
  {
    route: 'POST /contact',
    body: { type: ['feedback'], msg: ['Well done.'] },
    effects: ['insert messages: _id, createdAt, msg, status, type, updatedAt'],
  },

  { route: 'GET /health' },
  { route: 'GET /health/live' },
  { route: 'GET /health/ready' },
  { route: 'GET /.well-known/jwks.json' },
];

const COMMENT = ['mobile app', undefined];
const EXPIRY = ['2090-01-01T00:00:00Z', undefined, null];

/** Made through the API, so that it is stored as keys are. */
async function apiKey({ people }: Stage): Promise<string> {
  const { body } = await people.ADMIN.client.post<{ _id: string }>('/admin/apikeys', {});
  return body.data._id;
}

/** Administration (contract, section 4). */
export const ADMIN_ENDPOINTS: readonly Endpoint[] = [
  {
    route: 'GET /admin/users',
    query: {
      ...PAGE,
      email: [undefined, 'nobody@example.org'],
      role: [undefined, 'AUTHOR', 'ADMIN'],
    },
  },
  { route: 'GET /admin/users/id/:id', ...nobody },
  {
    route: 'PUT /admin/users/id/:id/roles',
    ...nobody,
    body: { roles: [['LEARNER', 'EDITOR'], ['AUTHOR']] },
    effects: ['update roles: guard, updatedAt', 'update users: roles, updatedAt'],
  },
  {
    route: 'PUT /admin/users/id/:id/status',
    ...nobody,
    body: { enabled: [false, true] },
    effects: ['update roles: guard, updatedAt', 'update users: epoch, status, updatedAt'],
  },
  { route: 'GET /admin/apikeys' },
  {
    route: 'POST /admin/apikeys',
    body: { comment: COMMENT, expiresAt: EXPIRY },
    effects: [
      'insert api_keys: _id, comments, createdAt, expiresAt, keyHash, permissions, prefix, status, updatedAt, version',
    ],
  },
  {
    route: 'PUT /admin/apikeys/id/:id',
    targets: [apiKey, unknownId],
    body: { enabled: [false, true, undefined], comment: COMMENT, expiresAt: EXPIRY },
    effects: ['update api_keys: comments, expiresAt, status, updatedAt'],
  },
  {
    route: 'DELETE /admin/apikeys/id/:id',
    targets: [apiKey, unknownId],
    effects: ['delete api_keys'],
  },
  { route: 'GET /admin/messages', query: PAGE },
];
