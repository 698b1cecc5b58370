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
