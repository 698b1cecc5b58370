import { PASSWORD, unique, unknownId } from '../../support/factories.js';
import { authorOfOneBlog } from '../calls.js';
import {
  allBlogs,
  INVALID_BODY,
  OF_API_KEYS,
  OF_INVITATIONS,
  OF_JOBS,
  OF_USERS,
} from '../outcomes.js';
import { ADMIN, audited, CURSOR, mailed, PAGE, type Call, type Row } from '../row.js';

const COMMENT = ['mobile app', undefined];
const EXPIRY = ['2090-01-01T00:00:00Z', undefined, null];

const email = (): string => `${unique('new')}@example.org`;
const NEW_MAIL = mailed('linkExpiresAt');
const NEW_LINK = 'insert one_time_tokens: _id, createdAt, expiresAt, kind, owner';

const NEW_AUTHOR = {
  user: [({ people }: Call) => people.otherAuthor._id],
};
const USER = { access: ADMIN, ...OF_USERS } as const;
const API_KEY = { access: { ...ADMIN, token: 'session' }, ...OF_API_KEYS } as const;

export const ADMIN_ROWS: readonly Row[] = [
  { route: 'GET /admin/media/usage', access: ADMIN },
  {
    route: 'GET /admin/users',
    access: ADMIN,
    query: {
      ...PAGE,
      email: [undefined, 'nobody@example.org'],
      role: [undefined, 'AUTHOR', 'ADMIN'],
    },
  },
  {
    route: 'POST /admin/users',
    access: API_KEY.access,
    ...INVALID_BODY,
    body: {
      email: [email],
      password: [PASSWORD],
      name: ['Ada'],
      roles: [['AUTHOR'], ['LEARNER', 'ADMIN']],
    },
    hashesPassword: true,
    effects: [
      audited(),
      'insert users: _id, createdAt, email, epoch, name, password, roles, status, updatedAt, verified',
    ],
  },
  { route: 'GET /admin/invitations', access: ADMIN, query: PAGE },
  {
    route: 'POST /admin/invitations',
    access: API_KEY.access,
    body: { email: [email], roles: [['AUTHOR'], ['LEARNER', 'ADMIN']], name: ['Ada', undefined] },
    effects: [
      audited('roles'),
      'insert invitations: _id, createdAt, email, expiresAt, invitedBy, isOpen, name, roles, sentAt',
      NEW_MAIL,
      NEW_LINK,
    ],
  },
  {
    route: 'POST /admin/invitations/id/:id/resend',
    access: API_KEY.access,
    ...OF_INVITATIONS,
    effects: [
      'delete one_time_tokens',
      audited(),
      NEW_MAIL,
      NEW_LINK,
      'update invitations: expiresAt, sentAt',
    ],
  },
  {
    route: 'DELETE /admin/invitations/id/:id',
    access: ADMIN,
    ...OF_INVITATIONS,
    effects: ['delete invitations', 'delete one_time_tokens', audited()],
  },
  { route: 'GET /admin/users/id/:id', ...USER },
  {
    route: 'PUT /admin/users/id/:id/roles',
    ...USER,
    access: API_KEY.access,
    body: { roles: [['LEARNER', 'EDITOR'], ['AUTHOR']] },
    effects: [audited('roles'), 'update roles: guard, updatedAt', 'update users: roles, updatedAt'],
  },
  {
    route: 'PUT /admin/users/id/:id/status',
    ...USER,
    body: { enabled: [false, true] },
    effects: [
      audited('enabled'),
      'update roles: guard, updatedAt',
      'update users: epoch, status, updatedAt',
    ],
  },
  { route: 'GET /admin/apikeys', access: ADMIN },
  {
    route: 'POST /admin/apikeys',
    access: API_KEY.access,
    body: { comment: COMMENT, expiresAt: EXPIRY, scopes: [['read', 'search'], undefined] },
    effects: [
      'insert api_keys: _id, comments, createdAt, expiresAt, keyHash, permissions, prefix, scopes, status, updatedAt, version',
      audited(),
    ],
  },
  {
    route: 'PUT /admin/apikeys/id/:id',
    ...API_KEY,
    body: {
      enabled: [false, true, undefined],
      comment: COMMENT,
      expiresAt: EXPIRY,
      scopes: [['read'], undefined, null],
    },
    effects: [
      audited('enabled'),
      'update api_keys: comments, expiresAt, scopes, status, updatedAt',
    ],
  },
  { route: 'DELETE /admin/apikeys/id/:id', ...API_KEY, effects: ['delete api_keys', audited()] },
  { route: 'GET /admin/messages', access: ADMIN, query: PAGE },
  {
    route: 'GET /admin/mail',
    access: ADMIN,
    query: { ...PAGE, state: [undefined, 'sent', 'given up'] },
  },
  {
    route: 'GET /admin/events',
    access: ADMIN,
    query: { after: [undefined, '0', '7'], limit: [undefined, '5'] },
  },
  {
    route: 'GET /admin/audit',
    access: ADMIN,
    query: {
      actor: [undefined, unknownId()],
      subject: [undefined, unknownId()],
      kind: [undefined, 'user.roles'],
      cursor: CURSOR,
      from: [undefined, '2026-01-02T03:04:05Z'],
      to: [undefined, '2090-01-01T00:00:00Z'],
      limit: [undefined, '5'],
    },
  },
  {
    route: 'PUT /admin/blogs/id/:id/author',
    access: ADMIN,
    ...allBlogs('always'),
    body: NEW_AUTHOR,
    effects: [
      audited('to'),
      'update blogs: author, events, previewGeneration, rev, updatedAt, updatedBy',
    ],
  },
  {
    route: 'DELETE /admin/blogs/id/:id/contributors',
    access: ADMIN,
    ...allBlogs('always'),
    effects: [
      audited(),
      'update blogs: contributors, contributorsSince, events, liveSubmitters, rev, submitters, updatedBy',
    ],
  },
  {
    route: 'PUT /admin/users/id/:id/blogs/author',
    ...USER,
    targets: [authorOfOneBlog, unknownId],
    body: NEW_AUTHOR,
    effects: [
      'insert account_jobs: _id, admin, count, from, isOpen, kind, requestedAt, requests, to',
      audited('to'),
    ],
  },
  { route: 'GET /admin/jobs/id/:id', access: ADMIN, ...OF_JOBS },
];
