import { ForbiddenException, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { UnavailableError, type ErrorDetails } from '../common/http/errors/api.errors.js';
import { ResultCode } from '../common/http/envelope/result-code.js';

/** The same words for an unknown address, a wrong password and a disabled account. */
export class InvalidCredentialsError extends UnauthorizedException {
  constructor() {
    super({ message: 'invalid email or password' } satisfies ErrorDetails);
  }
}

/** Somebody who is signed in was asked for their password again. */
export class WrongPasswordError extends UnauthorizedException {
  constructor() {
    super({ message: 'invalid password' } satisfies ErrorDetails);
  }
}

/** 503: there is no room for one more password, or its turn has not come in time. */
export class TooManyPasswordsError extends UnavailableError {
  constructor() {
    super('too many passwords are being checked: try again in a moment');
  }
}

export class SessionNotFoundError extends NotFoundException {
  constructor() {
    super({ message: 'session not found' } satisfies ErrorDetails);
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

/** The access token has merely expired: a client refreshes and repeats. */
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
    super({ message: 'invalid refresh token: sign in again' } satisfies ErrorDetails);
  }
}

export class InsufficientRoleError extends ForbiddenException {
  constructor() {
    super({
      message: 'permission denied: does not have sufficient role',
    } satisfies ErrorDetails);
  }
}
