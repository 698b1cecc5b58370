import { REASONS, type Reason } from '../../../src/platform/http/errors/reasons.js';

/** The body of an error. docs/api.md has the status of each reason. */
export function refusal(reason: Reason, message: string, code = '10001'): object {
  return { code, status: REASONS[reason].status, message, reason };
}

export const SESSION_ENDED = refusal(
  'session_ended',
  'the session has ended (time, sign-out, new password, or 20 newer sessions): sign in again',
  '10003',
);
