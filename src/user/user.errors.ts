import { ResultCode } from '../platform/http/envelope/result-code.js';
import { ApiError } from '../platform/http/errors/api.errors.js';

export class UserNotFoundError extends ApiError {
  constructor() {
    super('user_not_found', 'user not found');
  }
}

/** The caller's account was deleted while the request was running. */
export class AccountDeletedError extends ApiError {
  constructor() {
    super('account_deleted', 'the account was deleted: nothing was stored', {
      code: ResultCode.ACCESS_TOKEN,
    });
  }
}

export class AlreadyRegisteredError extends ApiError {
  constructor() {
    super('email_taken', 'user already registered');
  }
}

export class LastAdminError extends ApiError {
  constructor() {
    super(
      'last_admin',
      'the last enabled ADMIN cannot be demoted, disabled or deleted: make another one first',
    );
  }
}
