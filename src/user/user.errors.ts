import { BadRequestException, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { ResultCode } from '../common/http/envelope/result-code.js';
import type { ErrorDetails } from '../common/http/errors/api.errors.js';

export class UserNotFoundError extends NotFoundException {
  constructor() {
    super({ message: 'user not found' } satisfies ErrorDetails);
  }
}

/** The caller's account was deleted while the request was running. */
export class AccountDeletedError extends UnauthorizedException {
  constructor() {
    super({
      message: 'the account was deleted: nothing was stored',
      code: ResultCode.ACCESS_TOKEN,
    } satisfies ErrorDetails);
  }
}

export class AlreadyRegisteredError extends BadRequestException {
  constructor() {
    super({ message: 'user already registered' } satisfies ErrorDetails);
  }
}

export class LastAdminError extends BadRequestException {
  constructor() {
    super({
      message:
        'the last enabled ADMIN cannot be demoted, disabled or deleted: make another one first',
    } satisfies ErrorDetails);
  }
}
