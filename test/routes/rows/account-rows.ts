import { blogIn, PASSWORD, person, unique, unknownId } from '../support/factories.js';
import { PAGE } from './blog-rows.js';
import { allBlogs, OF_API_KEYS, OF_OWN_SESSIONS, OF_USERS, INVALID_BODY } from './outcomes.js';
import {
  ADMIN,
  EXPIRED_TOKEN,
  KEY,
  OPEN,
  TOKEN,
  type Call,
  type Row,
  type TargetFactory,
} from './row.js';

const email = (): string => `${unique('new')}@example.org`;
const refreshToken = ({ caller }: Call): string | undefined => caller?.refreshToken;

const PICTURE = 'https://example.org/picture.png';
const SESSION = '_id, addressPrefix, counter, createdAt, epoch, expiresAt, usedAt, user, userAgent';

const REFRESH = {
  access: EXPIRED_TOKEN,
  needsNewCaller: true,
  body: { refresh_token: [refreshToken, 'no token'], refreshToken: [undefined, refreshToken] },
  effects: ['update sessions: counter, expiresAt, rotatedAt, usedAt'],
} as const;

const SIGN_OUT = { access: TOKEN, needsNewCaller: true, effects: ['delete sessions'] } as const;

/** Accounts, sessions, profiles, messages and what operators read. */
export const ACCOUNT_ROWS: readonly Row[] = [
  {
    route: 'POST /auth/signup/basic',
    isLimited: true,
    access: KEY,
    ...INVALID_BODY,
    body: {
      email: [email, ({ people }: Call) => people.otherAuthor.email],
      password: [PASSWORD],
      name: ['Ada'],
      profilePicUrl: [PICTURE, undefined],
    },
    hashesPassword: true,
    effects: [
      `insert sessions: ${SESSION}`,
      'insert users: _id, createdAt, email, epoch, name, password, profilePicUrl, roles, status, updatedAt, verified',
    ],
  },
  {
    route: 'POST /auth/signin/basic',
    isLimited: true,
    access: KEY,
    ...INVALID_BODY,
    body: {
      email: [({ people }: Call) => people.userWithMaxSessions.email, 'nobody@example.org'],
      password: [PASSWORD, 'another password'],
    },
    hashesPassword: true,
    effects: ['delete sessions', `insert sessions: ${SESSION}`],
  },
  { route: 'POST /auth/refresh', ...REFRESH },
  { route: 'POST /auth/token/refresh', ...REFRESH },
  { route: 'DELETE /auth/signout', ...SIGN_OUT },
  { route: 'POST /auth/signout', ...SIGN_OUT },
  { route: 'GET /auth/verify/apikey', access: KEY },
  {
    route: 'PUT /auth/password',
    isLimited: true,
    access: TOKEN,
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
      'update sessions: epoch',
      'update users: epoch, password, updatedAt',
    ],
  },
  { route: 'GET /auth/sessions', access: TOKEN },
  {
    route: 'DELETE /auth/sessions',
    access: TOKEN,
    needsNewCaller: true,
    endsOtherSession: true,
    effects: ['delete sessions'],
  },
  {
    route: 'DELETE /auth/sessions/id/:id',
    access: TOKEN,
    ...OF_OWN_SESSIONS,
    effects: ['delete sessions'],
  },

  { route: 'GET /profile/mine', access: TOKEN },
  {
    route: 'PUT /profile/mine',
    access: TOKEN,
    body: { name: ['Ada King', undefined], profilePicUrl: [PICTURE, undefined, null] },
    needsNewCaller: true,
    effects: ['update users: name, profilePicUrl, updatedAt'],
  },
  {
    route: 'DELETE /profile/mine',
    isLimited: true,
    access: TOKEN,
    body: { password: [PASSWORD, 'another password'] },
    needsNewCaller: true,
    hashesPassword: true,
    effects: [
      'delete sessions',
      'delete users',
      'insert deleted_accounts: _id, deletedAt',
      'update roles: guard, updatedAt',
    ],
    alsoWrites: ['blogs', 'blog_comments'],
  },
  { route: 'GET /profile/id/:id', access: TOKEN, ...OF_USERS },
  {
    route: 'POST /contact',
    isLimited: true,
    access: KEY,
    body: { type: ['feedback'], msg: ['Well done.'] },
    effects: ['insert messages: _id, createdAt, msg, status, type, updatedAt'],
  },

  { route: 'GET /health', access: OPEN },
  { route: 'GET /health/live', access: OPEN },
  { route: 'GET /health/ready', access: OPEN },
  { route: 'GET /.well-known/jwks.json', access: OPEN },
];

const COMMENT = ['mobile app', undefined];
const EXPIRY = ['2090-01-01T00:00:00Z', undefined, null];

const NEW_AUTHOR = {
  user: [({ people }: Call) => people.otherAuthor._id],
};
const HANDED_OVER = 'update blogs: author, events, previewGeneration, rev, updatedAt, updatedBy';

const authorOfOneBlog: TargetFactory = async (fixture) => {
  const { EDITOR } = fixture.people;
  const author = await person(fixture, 'AUTHOR');
  await blogIn('live', author, EDITOR);
  return author._id;
};

export const ADMIN_ROWS: readonly Row[] = [
  {
    route: 'GET /admin/users',
    access: ADMIN,
    query: {
      ...PAGE,
      email: [undefined, 'nobody@example.org'],
      role: [undefined, 'AUTHOR', 'ADMIN'],
    },
  },
  { route: 'GET /admin/users/id/:id', access: ADMIN, ...OF_USERS },
  {
    route: 'PUT /admin/users/id/:id/roles',
    access: ADMIN,
    ...OF_USERS,
    body: { roles: [['LEARNER', 'EDITOR'], ['AUTHOR']] },
    effects: ['update roles: guard, updatedAt', 'update users: roles, updatedAt'],
  },
  {
    route: 'PUT /admin/users/id/:id/status',
    access: ADMIN,
    ...OF_USERS,
    body: { enabled: [false, true] },
    effects: ['update roles: guard, updatedAt', 'update users: epoch, status, updatedAt'],
  },
  { route: 'GET /admin/apikeys', access: ADMIN },
  {
    route: 'POST /admin/apikeys',
    access: ADMIN,
    body: { comment: COMMENT, expiresAt: EXPIRY },
    effects: [
      'insert api_keys: _id, comments, createdAt, expiresAt, keyHash, permissions, prefix, status, updatedAt, version',
    ],
  },
  {
    route: 'PUT /admin/apikeys/id/:id',
    access: ADMIN,
    ...OF_API_KEYS,
    body: { enabled: [false, true, undefined], comment: COMMENT, expiresAt: EXPIRY },
    effects: ['update api_keys: comments, expiresAt, status, updatedAt'],
  },
  {
    route: 'DELETE /admin/apikeys/id/:id',
    access: ADMIN,
    ...OF_API_KEYS,
    effects: ['delete api_keys'],
  },
  { route: 'GET /admin/messages', access: ADMIN, query: PAGE },
  {
    route: 'PUT /admin/blogs/id/:id/author',
    access: ADMIN,
    ...allBlogs('always'),
    body: NEW_AUTHOR,
    effects: [HANDED_OVER],
  },
  {
    route: 'PUT /admin/users/id/:id/blogs/author',
    access: ADMIN,
    ...OF_USERS,
    targets: [authorOfOneBlog, unknownId],
    body: NEW_AUTHOR,
    effects: [HANDED_OVER],
  },
];
