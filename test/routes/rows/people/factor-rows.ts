import { PASSWORD } from '../../../support/factories.js';
import {
  codeOfNewApp,
  newFactor,
  responseOfNewPasskey,
  responseOfPasskey,
  responseOfPasskeyToOldChallenge,
  responseToOldChallenge,
} from '../../targets/factor-targets.js';
import { INVALID_BODY, OF_OWN_FACTORS } from '../../outcomes.js';
import {
  audited,
  forIncomplete,
  LINK,
  mailed,
  SESSION,
  unlessProviderOnly,
  type Call,
  type Row,
} from '../../row.js';

const ACCESS = forIncomplete(SESSION);
const TOLD = mailed('user');
const target = (call: Call): string => call.target;
const NEW_CODES = 'insert factors: _id, codes, createdAt, kind, user';

const NEW_CHALLENGE = 'insert one_time_tokens: _id, createdAt, expiresAt, kind';
const USED_CHALLENGE = 'update one_time_tokens: usedAt';
const SESSION_FIELDS =
  '_id, addressPrefix, confirmedAt, counter, createdAt, epoch, expiresAt, factor, usedAt, user, userAgent';

/** The second factors of an account, and the sign-in by a passkey. */
export const FACTOR_ROWS: readonly Row[] = [
  { route: 'GET /auth/factors', access: ACCESS },
  {
    route: 'POST /auth/factors/totp',
    isLimited: true,
    access: ACCESS,
    ...INVALID_BODY,
    body: { name: ['My phone'], password: [PASSWORD, 'another password', undefined] },
    needsNewCaller: true,
    hashesPassword: true,
    effects: [
      'insert factors: _id, createdAt, isPending, kind, name, secret.data, secret.iv, secret.kid, secret.tag, user',
    ],
  },
  {
    route: 'POST /auth/factors/totp/confirm',
    access: ACCESS,
    ...INVALID_BODY,
    targets: [codeOfNewApp, () => '000000'],
    body: { code: [target] },
    effects: [
      audited(),
      NEW_CODES,
      TOLD,
      'update factors: isPending, lastStep',
      'update sessions: factor',
    ],
  },
  {
    route: 'POST /auth/factors/passkeys/options',
    isLimited: true,
    access: ACCESS,
    ...INVALID_BODY,
    body: { password: [PASSWORD, 'another password', undefined] },
    needsNewCaller: true,
    hashesPassword: true,
    effects: [`${NEW_CHALLENGE}, owner`],
  },
  {
    route: 'POST /auth/factors/passkeys',
    access: ACCESS,
    ...INVALID_BODY,
    targets: [responseOfNewPasskey, () => '{}', responseToOldChallenge],
    body: { name: ['My key'], response: [target] },
    effects: [
      audited(),
      NEW_CODES,
      'insert factors: _id, counter, createdAt, credentialId, kind, name, publicKey, user',
      TOLD,
      USED_CHALLENGE,
      'update sessions: factor',
    ],
  },
  {
    route: 'POST /auth/passkeys/options',
    isLimited: true,
    access: LINK,
    effects: [NEW_CHALLENGE],
  },
  {
    route: 'POST /auth/signin/passkey',
    isLimited: true,
    access: unlessProviderOnly(LINK),
    ...INVALID_BODY,
    targets: [responseOfPasskey, responseOfPasskeyToOldChallenge, () => '{}'],
    body: { response: [target] },
    effects: [
      'insert known_devices: _id, createdAt, user',
      `insert sessions: ${SESSION_FIELDS}`,
      'update factors: counter, lastUsedAt',
      USED_CHALLENGE,
    ],
  },
  {
    route: 'POST /auth/factors/recovery',
    isLimited: true,
    access: ACCESS,
    ...INVALID_BODY,
    targets: [newFactor],
    body: { password: [PASSWORD, 'another password', undefined] },
    hashesPassword: true,
    effects: [NEW_CODES],
  },
  {
    route: 'PUT /auth/factors/id/:id',
    access: ACCESS,
    ...OF_OWN_FACTORS,
    body: { name: ['Old phone'] },
    effects: ['update factors: name'],
  },
  {
    route: 'DELETE /auth/factors/id/:id',
    isLimited: true,
    access: ACCESS,
    ...OF_OWN_FACTORS,
    body: { password: [PASSWORD] },
    hashesPassword: true,
    effects: ['delete factors', audited(), TOLD],
  },
];
