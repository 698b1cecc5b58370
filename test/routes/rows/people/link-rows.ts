import { PASSWORD, unique } from '../../../support/factories.js';
import { BY_LINK, newAccountLink, newInvitationLink, token } from '../../targets/link-targets.js';
import { INVALID_BODY } from '../../outcomes.js';
import {
  ACCOUNT,
  audited,
  mailed,
  forIncomplete,
  LINK,
  SESSION,
  SIGNED_IN,
  type Call,
  type Row,
  unlessProviderOnly,
} from '../../row.js';

const USED = 'update one_time_tokens: usedAt';
/** What a token stands for is erased when it is used. */
const USED_FOR_ADDRESS = 'update one_time_tokens: data.email, usedAt';
const NEW_PASSWORD = 'a new password of theirs';

/** What people do by the links of mails, and what sends such mails to themselves. */
export const LINK_ROWS: readonly Row[] = [
  {
    route: 'POST /auth/password/forgot',
    isLimited: true,
    access: unlessProviderOnly(LINK),
    body: { email: [({ people }: Call) => people.otherAuthor.email, 'nobody@example.org'] },
    effects: [mailed('linkExpiresAt')],
  },
  {
    route: 'POST /auth/password/reset',
    access: unlessProviderOnly(LINK),
    ...BY_LINK(newAccountLink('passwordReset')),
    body: { token: [token], password: [NEW_PASSWORD, 'password123'] },
    hashesPassword: true,
    effects: [
      'delete one_time_tokens',
      audited(),
      mailed('user'),
      'update users: epoch, password, updatedAt',
    ],
  },
  {
    route: 'PUT /auth/email',
    isLimited: true,
    access: forIncomplete(SESSION),
    ...INVALID_BODY,
    body: {
      email: [() => `${unique('new')}@example.org`],
      password: [PASSWORD, 'another password', undefined],
    },
    needsNewCaller: true,
    hashesPassword: true,
    effects: [
      mailed('linkExpiresAt', 'user'),
      'insert one_time_tokens: _id, createdAt, data.email, expiresAt, kind, owner',
    ],
  },
  {
    route: 'POST /auth/email/confirm',
    access: LINK,
    ...BY_LINK(newAccountLink('emailChange')),
    body: { token: [token] },
    effects: [
      audited(),
      mailed('linkExpiresAt', 'user'),
      'insert one_time_tokens: _id, createdAt, data.email, expiresAt, kind, owner',
      'insert reserved_addresses: _id, until, user',
      USED_FOR_ADDRESS,
      'update users: email, updatedAt',
    ],
  },
  {
    route: 'POST /auth/email/undo',
    access: LINK,
    ...BY_LINK(newAccountLink('emailUndo')),
    body: { token: [token] },
    effects: [
      'delete one_time_tokens',
      audited(),
      mailed('linkExpiresAt', 'user'),
      'insert one_time_tokens: _id, createdAt, expiresAt, kind, owner',
      'update users: email, epoch, password, updatedAt',
    ],
  },
  {
    route: 'POST /auth/email/verify',
    access: LINK,
    ...BY_LINK(newAccountLink('emailVerification')),
    body: { token: [token] },
    effects: [audited(), USED_FOR_ADDRESS, 'update users: updatedAt'],
  },
  {
    route: 'POST /auth/email/verification',
    isLimited: true,
    access: forIncomplete(SESSION),
    effects: [],
  },
  {
    route: 'POST /auth/invitation/accept',
    access: unlessProviderOnly(LINK),
    ...BY_LINK(newInvitationLink('somebody')),
    body: { token: [token], name: ['Ada', undefined], password: [NEW_PASSWORD] },
    hashesPassword: true,
    effects: [
      audited(),
      audited(),
      ...SIGNED_IN,
      'insert users: _id, createdAt, email, epoch, name, password, roles, status, updatedAt, verified',
      'update invitations: acceptedAt, isOpen',
      USED,
    ],
  },
  {
    route: 'POST /auth/invitation/join',
    access: ACCOUNT,
    ...BY_LINK(newInvitationLink('LEARNER')),
    body: { token: [token] },
    effects: [audited(), 'update invitations: acceptedAt, isOpen', USED, 'update users: updatedAt'],
  },
];
