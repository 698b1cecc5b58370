import ms from 'ms';

/** The kinds of tokens that work once, each with its lifetime in milliseconds. */
export const ONE_TIME_TOKENS = {
  passwordReset: ms('1h'),
  emailVerification: ms('7d'),
  emailChange: ms('1d'),
  emailUndo: ms('7d'),
  invitation: ms('7d'),
  passkeyEnrolment: ms('5m'),
  passkeySignIn: ms('5m'),
  oidcState: ms('10m'),
  oidcCode: ms('1m'),
} as const satisfies Record<string, number>;

export type OneTimeTokenKind = keyof typeof ONE_TIME_TOKENS;

/** The tokens that end with a new password: whoever had the former one may have asked for them. */
export const ENDED_BY_NEW_PASSWORD: readonly OneTimeTokenKind[] = [
  'passwordReset',
  'emailChange',
  'passkeyEnrolment',
];
