import { LINK, OPEN, type Row } from '../../row.js';

/** Single sign-on, which the servers of these tests do not have: test/auth/oidc has the answers of one that does. */
const NOT_CONFIGURED = { isLimited: true, outcomes: { nothing: 404 } } as const;

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

export const OIDC_ROWS: readonly Row[] = [
  {
    route: 'POST /auth/oidc/start',
    access: LINK,
    ...NOT_CONFIGURED,
    body: { returnUrl: ['https://www.example.org/'], codeChallenge: [VERIFIER] },
  },
  {
    route: 'GET /auth/oidc/callback',
    access: OPEN,
    ...NOT_CONFIGURED,
    query: {
      state: ['x'.repeat(43)],
      code: ['a code', undefined],
      iss: ['https://login.example.org', undefined],
      error: [undefined, 'access_denied'],
    },
  },
  {
    route: 'POST /auth/oidc/exchange',
    access: LINK,
    ...NOT_CONFIGURED,
    body: {
      code: ['x'.repeat(43)],
      codeVerifier: [VERIFIER],
      password: [undefined, 'a password'],
      secondFactor: [undefined, '492039'],
    },
    hashesPassword: true,
  },
];
