import { BadRequestException, NotFoundException, UnauthorizedException } from '@nestjs/common';
import { ResultCode } from '../common/http/envelope/result-code.js';
import type { ErrorDetails } from '../common/http/errors/api.errors.js';

export class UserNotFoundError extends NotFoundException {
  constructor() {
    super('user not found');
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
    super('user already registered');
  }
}

export class LastAdminError extends BadRequestException {
  constructor() {
    super('the last enabled ADMIN cannot be demoted, disabled or deleted: make another one first');
  }
}
