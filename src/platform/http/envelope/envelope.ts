import type { Reason } from '../errors/reasons.js';
import { ResultCode } from './result-code.js';

/** One error of a 422. `field` is a path in the body such as `tags.0`, or `Idempotency-Key`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Tells what was not stored as it was sent, has changed although nobody asked for it, or was ignored. */
export type FieldWarning = FieldError;

/** Number of warnings that a response has at most. */
export const WARNINGS_MAX = 10;

/**
 * The body of every response, except on routes that are declared with `raw` or `document`. `status` repeats
 * the HTTP status. Every error has a `reason`, and only a 422 has `errors`. Only a success may have
 * `warnings`.
 */
export interface Envelope<T = unknown> {
  readonly code: ResultCode;
  readonly status: number;
  readonly message: string;
  readonly reason?: Reason;
  readonly data?: T;
  readonly errors?: readonly FieldError[];
  readonly warnings?: readonly FieldWarning[];
}

/** What an error puts into its envelope. */
export interface ErrorMembers {
  readonly message: string;
  readonly reason: Reason;
  /** The result code; FAILURE when left out. */
  readonly code?: ResultCode;
  /** The errors of a 422. */
  readonly errors?: readonly FieldError[];
}

/** The envelope of an error, which has no `data`. */
export function errorEnvelope(
  status: number,
  { message, reason, code = ResultCode.FAILURE, errors }: ErrorMembers,
): Envelope {
  const envelope = { code, status, message, reason };
  return errors === undefined ? envelope : { ...envelope, errors };
}
