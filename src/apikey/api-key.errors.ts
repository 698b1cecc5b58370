import { bitsOf, scopesIn } from '../platform/http/access/key-scopes/key-scope.js';
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

/** 403: the API key is valid, but not for this route. */
export class ApiKeyScopeError extends ApiError {
  static example(): ApiKeyScopeError {
    return new ApiKeyScopeError(bitsOf(['read']));
  }

  /** @param accepted the bits of the route's scopes, the first of which the message names */
  constructor(accepted: number) {
    const [scope = ''] = scopesIn(accepted);
    super('api_key_scope', `permission denied: the API key lacks the scope ${scope}`);
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
