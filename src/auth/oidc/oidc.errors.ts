import { ApiError, UnavailableError } from '../../platform/http/errors/api.errors.js';

/** 404: the operator has not set OIDC_ISSUER. */
export class OidcNotConfiguredError extends ApiError {
  constructor() {
    super('oidc_not_configured', 'there is no single sign-on here: sign in otherwise');
  }
}

/** 400: the sign-in was not begun by this browser, or not in the last ten minutes, or has ended. */
export class OidcStateError extends ApiError {
  constructor() {
    super(
      'oidc_state_invalid',
      'this browser has not begun this sign-in, or too long ago: begin it again',
    );
  }
}

/** 401: the provider has refused the sign-in, or its answer does not fit. */
export class OidcRefusedError extends ApiError {
  constructor() {
    super('oidc_refused', 'the provider has not confirmed the sign-in: try it again');
  }
}

/** 401: the code of an exchange is unknown, was used, has expired, or was made for another verifier. */
export class OidcCodeError extends ApiError {
  constructor() {
    super('oidc_code_invalid', 'the code of the sign-in is not valid any more: sign in again');
  }
}

/** 401: an account has the address, and its owner has to confirm the link by its password. */
export class PasswordNeededError extends ApiError {
  constructor() {
    super(
      'password_needed',
      'an account has your email address: send its password as well, once, to link it',
    );
  }
}

/** 403: the provider does not say that it has verified the address. */
export class OidcEmailUnverifiedError extends ApiError {
  constructor() {
    super(
      'oidc_email_unverified',
      'the provider has not verified your email address: verify it there, and sign in again',
    );
  }
}

export class AccountDisabledError extends ApiError {
  constructor() {
    super('account_disabled', 'your account is disabled: ask the people who run this site');
  }
}

/** 503: the provider does not answer, or not in time. */
export class OidcUnavailableError extends UnavailableError {
  constructor() {
    super('the provider does not answer: try again in a moment', 'oidc_unavailable');
  }
}
