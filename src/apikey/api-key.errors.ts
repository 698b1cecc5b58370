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

/** The same answer as for an invalid key, except the reason: the caller holds the key, so it gives nothing away. */
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
