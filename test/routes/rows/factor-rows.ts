import { PASSWORD } from '../../support/factories.js';
import { codeOfNewApp, newFactor } from '../factor-targets.js';
import { INVALID_BODY, OF_OWN_FACTORS } from '../outcomes.js';
import { audited, forIncomplete, mailed, SESSION, type Call, type Row } from '../row.js';

const ACCESS = forIncomplete(SESSION);
const TOLD = mailed('user');
const NEW_CODES = 'insert factors: _id, codes, createdAt, kind, user';

/** The second factors of an account. */
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
    body: { code: [({ target }: Call) => target] },
    effects: [
      audited(),
      NEW_CODES,
      TOLD,
      'update factors: isPending, lastStep',
      'update sessions: factor',
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
