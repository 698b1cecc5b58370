import { ApiError, InvalidBodyError } from '../platform/http/errors/api.errors.js';

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

/** 403: the answer is that for an invalid key, except the reason, which tells a caller who holds the key nothing new. */
export class ExpiredApiKeyError extends ApiError {
  constructor() {
    super('api_key_expired', 'permission denied: invalid x-api-key');
  }
}

export class ApiKeyNotFoundError extends ApiError {
  constructor() {
    super('api_key_not_found', 'api key not found');
  }
}

/** 422: the new expiry has passed already. */
export class PastExpiryError extends InvalidBodyError {
  constructor() {
    super([
      {
        field: 'expiresAt',
        message: 'expiresAt must be in the future: to end the key now, disable it',
      },
    ]);
  }
}
