import { ForbiddenException, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { UnavailableError, type ErrorDetails } from '../common/http/errors/api.errors.js';
import { ResultCode } from '../common/http/envelope/result-code.js';

/** One message for an unknown address, a wrong password and a disabled account. */
export class InvalidCredentialsError extends UnauthorizedException {
  constructor() {
    super('invalid email or password');
  }
}

/** A signed-in user confirmed an action with a wrong password. */
export class WrongPasswordError extends UnauthorizedException {
  constructor() {
    super('invalid password');
  }
}

/** 503: the queue for password hashing is full, or the wait in it took too long. */
export class TooManyPasswordsError extends UnavailableError {
  constructor() {
    super('too many passwords are being checked: try again in a moment');
  }
}

export class SessionNotFoundError extends NotFoundException {
  constructor() {
    super('session not found');
  }
}

const ACCESS_TOKEN_PROBLEMS = {
  missing: 'missing access token: send it as "Authorization: Bearer <token>"',
  invalid: 'invalid access token',
  ended: 'the session has ended: sign in again',
} as const;

/** The access token is missing, malformed or revoked. */
export class AccessTokenError extends UnauthorizedException {
  constructor(problem: keyof typeof ACCESS_TOKEN_PROBLEMS) {
    super({
      message: ACCESS_TOKEN_PROBLEMS[problem],
      code: ResultCode.ACCESS_TOKEN,
    } satisfies ErrorDetails);
  }
}

/** The access token has expired. The client refreshes it and repeats the request. */
export class AccessTokenExpiredError extends UnauthorizedException {
  constructor() {
    super({
      message: 'access token has expired',
      code: ResultCode.ACCESS_TOKEN,
      headers: { instruction: 'refresh_token' },
    } satisfies ErrorDetails);
  }
}

export class RefreshTokenError extends UnauthorizedException {
  constructor() {
    super('invalid refresh token: sign in again');
  }
}

export class InsufficientRoleError extends ForbiddenException {
  constructor() {
    super('permission denied: does not have sufficient role');
  }
}
