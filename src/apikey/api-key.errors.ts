import { ForbiddenException, NotFoundException, UnauthorizedException } from '@nestjs/common';

export class MissingApiKeyError extends UnauthorizedException {
  constructor() {
    super('permission denied: missing x-api-key header');
  }
}

export class InvalidApiKeyError extends ForbiddenException {
  constructor() {
    super('permission denied: invalid x-api-key');
  }
}

export class ApiKeyNotFoundError extends NotFoundException {
  constructor() {
    super('api key not found');
  }
}
