import { ApiError } from '../platform/http/errors/api.errors.js';

export class MissingApiKeyError extends ApiError {
  constructor() {
    super('api_key_missing', 'permission denied: missing x-api-key header');
  }
}

export class InvalidApiKeyError extends ApiError {
  constructor() {
    super('api_key_invalid', 'permission denied: invalid x-api-key');
  }
}

export class ApiKeyNotFoundError extends ApiError {
  constructor() {
    super('api_key_not_found', 'api key not found');
  }
}
