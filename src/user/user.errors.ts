import { BadRequestException, NotFoundException } from '@nestjs/common';
import type { ErrorDetails } from '../common/http/errors/api.errors.js';

export class UserNotFoundError extends NotFoundException {
  constructor() {
    super({ message: 'user not found' } satisfies ErrorDetails);
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
