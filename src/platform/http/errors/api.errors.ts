import { HttpException } from '@nestjs/common';
import type { ErrorMembers, FieldError } from '../envelope/envelope.js';
import { ResultCode } from '../envelope/result-code.js';
import { SAFE_METHODS } from '../safe-methods.js';
import { bodyTooLarge, FRAMEWORK_ERRORS, type FrameworkErrorName } from './framework-errors.js';
import { REASONS, type Reason } from './reasons.js';

/** The data of an ApiError, from which ApiExceptionFilter makes the response. */
export interface ErrorDetails extends ErrorMembers {
  /** Response headers that belong to the error. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is reported to the client. The HTTP status follows from the reason. */
export class ApiError extends HttpException {
  constructor(
    reason: Reason,
    message: string,
    others: Omit<ErrorDetails, 'reason' | 'message'> = {},
  ) {
    super({ ...others, reason, message } satisfies ErrorDetails, REASONS[reason].status);
  }

  override getResponse(): ErrorDetails {
    return super.getResponse() as ErrorDetails;
  }
}

/** 422: the body is invalid. */
export class InvalidBodyError extends ApiError {
  constructor(errors: readonly FieldError[]) {
    const texts = errors.map(({ message }) => message).join(', ');
    super('validation_failed', `validation error: ${texts}`, { errors });
  }
}

/** 400: a path or query parameter is invalid. */
export class BadParameterError extends ApiError {
  constructor(message: string) {
    super('invalid_parameter', message);
  }
}

/** An error that Node or Fastify detects before a handler runs. */
export class FrameworkError extends ApiError {
  constructor(name: FrameworkErrorName) {
    const { reason, message } = FRAMEWORK_ERRORS[name];
    super(reason, message);
  }
}

/** 404: no route has this path. */
export class UnknownPathError extends FrameworkError {
  constructor() {
    super('unknownPath');
  }
}

/** 405: the path has routes for other methods. */
export class MethodNotAllowedError extends ApiError {
  constructor(methods: readonly string[]) {
    const allow = methods.join(', ');
    super('method_not_allowed', `method not allowed: use ${allow}`, { headers: { allow } });
  }
}

/** 413: the body exceeds the limit of the route. */
export class BodyTooLargeError extends ApiError {
  /** @param limit limit in bytes */
  constructor(limit: number) {
    const { reason, message } = bodyTooLarge(limit);
    super(reason, message);
  }
}

/** 415: the body has another media type than the route takes. */
export class UnsupportedMediaTypeError extends ApiError {
  constructor(message: string = FRAMEWORK_ERRORS.unsupportedMediaType.message) {
    super('unsupported_media_type', message);
  }
}

/** 412: the record has changed since the revision that `If-Match` names. */
export class StaleRevisionError extends ApiError {
  constructor() {
    super(
      'stale_revision',
      'the blog has changed since you read it: read it again and repeat your change',
    );
  }
}

/** 422: another request has used the `Idempotency-Key`. */
export class IdempotencyKeyReusedError extends ApiError {
  constructor() {
    const message = 'Idempotency-Key was used for another request: send a new one';
    super('idempotency_key_reused', message, { errors: [{ field: 'Idempotency-Key', message }] });
  }
}

/** 410: the record exists, but the server can no longer show its secret. */
export class SecretGoneError extends ApiError {
  constructor() {
    super('secret_gone', 'the secret can no longer be shown: make a new one');
  }
}

/** 428: the route needs `If-Match` with the revision that the caller has read (RFC 6585, section 3). */
export class RevisionRequiredError extends ApiError {
  constructor() {
    super('revision_required', 'If-Match is missing: send the ETag of the blog that you have read');
  }
}

/** 503 with `Retry-After: 1`: the server cannot handle the request at the moment. */
export class UnavailableError extends ApiError {
  /** @param reason a reason with the status 503 */
  constructor(message: string, reason: Reason = 'overloaded') {
    super(reason, message, { code: ResultCode.RETRY, headers: { 'retry-after': '1' } });
  }
}

/**
 * 503: the database did not respond, or the deadline has passed. A write may have happened nevertheless:
 * the driver retries it and reports only the last failure, and the work continues after the deadline.
 */
export class OutcomeUnknownError extends UnavailableError {
  /**
   * @param what the failure, without a full stop
   * @param method HTTP method of the request; for an unsafe method, reason and message warn that the write
   *   may have happened
   */
  constructor(what: string, method: string) {
    if (SAFE_METHODS.has(method)) super(`${what}: try again in a moment`, 'unavailable');
    else super(`${what}, and it may have happened: read before you repeat it`, 'outcome_unknown');
  }
}

/** 503: the database did not answer. */
export class DatabaseUnavailableError extends OutcomeUnknownError {
  /** @param method method of the request */
  constructor(method: string) {
    super('the database cannot be reached', method);
  }
}

/** 500: a defect of the server. The log has the cause under the id of the request. */
export class InternalServerError extends ApiError {
  constructor() {
    super('internal_error', 'something went wrong');
  }
}
