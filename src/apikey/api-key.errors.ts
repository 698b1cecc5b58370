import { ForbiddenException, NotFoundException, UnauthorizedException } from '@nestjs/common';
import type { ErrorDetails } from '../common/http/errors/api.errors.js';

export class MissingApiKeyError extends UnauthorizedException {
  constructor() {
    super({ message: 'permission denied: missing x-api-key header' } satisfies ErrorDetails);
  }
}

export class InvalidApiKeyError extends ForbiddenException {
  constructor() {
    super({ message: 'permission denied: invalid x-api-key' } satisfies ErrorDetails);
  }
}

export class ApiKeyNotFoundError extends NotFoundException {
  constructor() {
    super({ message: 'api key not found' } satisfies ErrorDetails);
  }
}
