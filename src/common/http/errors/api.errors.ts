import {
  BadRequestException,
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
import { bodyTooLarge, REFUSALS } from './framework-errors.js';

/** What a typed error may add to its status and message. */
export interface ErrorDetails {
  readonly message: string;
  readonly code?: ResultCode;
  readonly errors?: readonly FieldError[];
  /** Response headers that belong to the error. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** 422: the body does not fit. */
export class InvalidBodyError extends UnprocessableEntityException {
  constructor(errors: readonly FieldError[]) {
    const details: ErrorDetails = {
      message: `validation error: ${errors.map(({ message }) => message).join(', ')}`,
      errors,
    };
    super(details);
  }
}

/** 400: a path or query parameter does not fit. */
export class BadParameterError extends BadRequestException {
  constructor(message: string) {
    super({ message } satisfies ErrorDetails);
  }
}

/** 404: no route has this path. */
export class UnknownPathError extends NotFoundException {
  constructor() {
    super({ message: REFUSALS.unknownPath.message } satisfies ErrorDetails);
  }
}

/** 405: the path is known under other methods. */
export class MethodNotAllowedError extends MethodNotAllowedException {
  constructor(methods: readonly string[]) {
    const allow = methods.join(', ');
    super({
      message: `method not allowed: use ${allow}`,
      headers: { allow },
    } satisfies ErrorDetails);
  }
}

/** 413: the body is larger than its route reads. */
export class BodyTooLargeError extends PayloadTooLargeException {
  /** @param limit in bytes */
  constructor(limit: number) {
    super({ message: bodyTooLarge(limit) } satisfies ErrorDetails);
  }
}

/** 415: the body is no JSON. */
export class OtherBodyTypeError extends UnsupportedMediaTypeException {
  constructor() {
    super({ message: REFUSALS.otherType.message } satisfies ErrorDetails);
  }
}

/** 412: the record has changed since the revision that `If-Match` names. */
export class StaleRevisionError extends PreconditionFailedException {
  constructor() {
    super({
      message: 'the blog has changed since you read it: read it again and repeat your change',
    } satisfies ErrorDetails);
  }
}

/** 503: what the request needs cannot be reached for now. */
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
 * 503: a request had no answer from what it needs. Of a write nobody knows whether it was done: the
 * driver sends it again by itself, and tells of its last failure only.
 */
export class UnansweredError extends UnavailableError {
  /**
   * @param what has happened, without a full stop
   * @param method of the request
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
export class DatabaseOutOfReachError extends UnansweredError {
  /** @param method of the request */
  constructor(method: string) {
    super('the database cannot be reached', method);
  }
}

/** 500: a defect of the server. The log has the cause under the id of the request. */
export class DefectError extends InternalServerErrorException {
  constructor() {
    super({ message: 'something went wrong' } satisfies ErrorDetails);
  }
}
