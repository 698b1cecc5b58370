import {
  BadRequestException,
  HttpException,
  InternalServerErrorException,
  MethodNotAllowedException,
  NotFoundException,
  PayloadTooLargeException,
  PreconditionFailedException,
  ServiceUnavailableException,
  UnprocessableEntityException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { FieldError } from '../envelope/envelope.js';
import { ResultCode } from '../envelope/result-code.js';
import { SAFE_METHODS } from '../safe-methods.js';
import { bodyTooLarge, FRAMEWORK_ERRORS } from './framework-errors.js';

/** The response of a typed error, which ApiExceptionFilter renders. */
export interface ErrorDetails {
  readonly message: string;
  readonly code?: ResultCode;
  readonly errors?: readonly FieldError[];
  /** Response headers that belong to the error. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** 422: the body is invalid. */
export class InvalidBodyError extends UnprocessableEntityException {
  constructor(errors: readonly FieldError[]) {
    const details: ErrorDetails = {
      message: `validation error: ${errors.map(({ message }) => message).join(', ')}`,
      errors,
    };
    super(details);
  }
}

/** 400: a path or query parameter is invalid. */
export class BadParameterError extends BadRequestException {
  constructor(message: string) {
    // In an object, because Nest replaces an empty text by its own.
    super({ message } satisfies ErrorDetails);
  }
}

/** 404: no route has this path. */
export class UnknownPathError extends NotFoundException {
  constructor() {
    super(FRAMEWORK_ERRORS.unknownPath.message);
  }
}

/** 405: the path has routes for other methods. */
export class MethodNotAllowedError extends MethodNotAllowedException {
  constructor(methods: readonly string[]) {
    const allow = methods.join(', ');
    super({
      message: `method not allowed: use ${allow}`,
      headers: { allow },
    } satisfies ErrorDetails);
  }
}

/** 413: the body exceeds the limit of the route. */
export class BodyTooLargeError extends PayloadTooLargeException {
  /** @param limit in bytes */
  constructor(limit: number) {
    super(bodyTooLarge(limit));
  }
}

/** 415: the content type of the body is not JSON. */
export class UnsupportedMediaTypeError extends UnsupportedMediaTypeException {
  constructor() {
    super(FRAMEWORK_ERRORS.unsupportedMediaType.message);
  }
}

/** 412: the record has changed since the revision that `If-Match` names. */
export class StaleRevisionError extends PreconditionFailedException {
  constructor() {
    super('the blog has changed since you read it: read it again and repeat your change');
  }
}

/** 428: the route needs `If-Match` with the revision that the caller has read (RFC 6585, section 3). */
export class RevisionRequiredError extends HttpException {
  constructor() {
    const message = 'If-Match is missing: send the ETag of the blog that you have read';
    super({ message } satisfies ErrorDetails, 428);
  }
}

/** 503 with `Retry-After: 1`: the server cannot handle the request at the moment. */
export class UnavailableError extends ServiceUnavailableException {
  constructor(message: string) {
    super({
      message,
      code: ResultCode.RETRY,
      headers: { 'retry-after': '1' },
    } satisfies ErrorDetails);
  }
}

/**
 * 503: the database did not respond, or the deadline has passed. A write may have happened
 * nevertheless, because the driver retries it and reports only the last failure.
 */
export class OutcomeUnknownError extends UnavailableError {
  /**
   * @param what the failure, without a full stop
   * @param method of the request; for an unsafe one, the message warns that it may have happened
   */
  constructor(what: string, method: string) {
    super(
      SAFE_METHODS.has(method)
        ? `${what}: try again in a moment`
        : `${what}, and it may have happened: read before you repeat it`,
    );
  }
}

/** 503: the database did not answer. */
export class DatabaseUnavailableError extends OutcomeUnknownError {
  /** @param method of the request */
  constructor(method: string) {
    super('the database cannot be reached', method);
  }
}

/** 500: a defect of the server. The log has the cause under the id of the request. */
export class InternalServerError extends InternalServerErrorException {
  constructor() {
    super('something went wrong');
  }
}
