import type { FieldProblem, Reason } from './types.ts';

export interface ErrorDetails {
  readonly status: number;
  readonly code?: string | undefined;
  readonly reason?: Reason | undefined;
  readonly errors?: readonly FieldProblem[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly headers?: Headers | undefined;
}

/** Everything that a call throws, except the reason of an `AbortSignal`. */
export class PressroomError extends Error {
  override readonly name: string = 'PressroomError';
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The result code, which tells the client what it can do: see docs/api.md of the server. */
  readonly code: string | undefined;
  /** The reason in a word for programs, such as `slug_taken`. */
  readonly reason: Reason | undefined;
  /** The invalid fields of the body. */
  readonly errors: readonly FieldProblem[];
  /** The id of the request in the log of the server. */
  readonly requestId: string | undefined;
  /** Seconds after which the request may be sent again. */
  readonly retryAfter: number | undefined;
  readonly headers: Headers | undefined;
  /**
   * Number of times that the request was sent. If it is more than 1, an earlier attempt may have had
   * its effect.
   */
  attempts = 1;

  constructor(message: string, details: ErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.status = details.status;
    this.code = details.code;
    this.reason = details.reason;
    this.errors = details.errors ?? [];
    this.retryAfter = details.retryAfter;
    this.headers = details.headers;
    this.requestId = details.headers?.get('x-request-id') ?? undefined;
  }
}

/** 422: `errors` names the invalid fields. */
export class ValidationError extends PressroomError {
  override readonly name = 'ValidationError';
}

/** 401: nobody is signed in, the session has ended, or the password is wrong. */
export class UnauthorizedError extends PressroomError {
  override readonly name = 'UnauthorizedError';
}

/** 404: the record does not exist, or the caller may not see it. */
export class NotFoundError extends PressroomError {
  override readonly name = 'NotFoundError';
}

/** 412: the record has changed since it was read. */
export class StaleRevisionError extends PressroomError {
  override readonly name = 'StaleRevisionError';
}

/** 429, 502, 503 or 504, after the last repetition that `retries` and `maxWaitMs` allow. */
export class TemporaryError extends PressroomError {
  override readonly name = 'TemporaryError';
}

/** No answer: the server cannot be reached, or does not answer in time. */
export class NetworkError extends PressroomError {
  override readonly name = 'NetworkError';

  constructor(message: string, cause?: unknown) {
    super(message, { status: 0 }, { cause });
  }
}

const CLASSES: Readonly<Record<number, typeof PressroomError>> = {
  401: UnauthorizedError,
  404: NotFoundError,
  412: StaleRevisionError,
  422: ValidationError,
  429: TemporaryError,
  502: TemporaryError,
  503: TemporaryError,
  504: TemporaryError,
};

export function refusal(message: string, details: ErrorDetails): PressroomError {
  return new (CLASSES[details.status] ?? PressroomError)(message, details);
}
