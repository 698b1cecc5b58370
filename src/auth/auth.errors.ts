import { ApiError, UnavailableError } from '../platform/http/errors/api.errors.js';
import { ResultCode } from '../platform/http/envelope/result-code.js';

/**
 * 401: the email address is unknown, the password or passkey is wrong, or the account is disabled. The message is
 * the same for all of them.
 */
export class InvalidCredentialsError extends ApiError {
  constructor(message = 'invalid email or password') {
    super('invalid_credentials', message);
  }
}

/** A signed-in user confirmed an action with a wrong password. */
export class WrongPasswordError extends ApiError {
  constructor() {
    super('wrong_password', 'invalid password');
  }
}

/** 503: the queue for password hashing is full, or the wait in it took too long. */
export class TooManyPasswordsError extends UnavailableError {
  constructor() {
    super('too many passwords are being checked: try again in a moment');
  }
}

/** 401: the password is right, and the account has a second factor, of which the request has no code. */
export class SecondFactorRequiredError extends ApiError {
  constructor() {
    super(
      'second_factor_required',
      'send a code of your app or a recovery code as well, or sign in with your passkey',
    );
  }
}

/** 401: the code of the second factor is wrong, or was used before. */
export class WrongCodeError extends ApiError {
  constructor() {
    super('wrong_code', 'wrong code: wait for the next one, and try again');
  }
}

/** 403: a role or a factor of the account demands that the session has proved a second factor, which it has not. */
export class FactorNeededError extends ApiError {
  constructor() {
    super(
      'factor_needed',
      'this needs a second factor: enrol one, or sign in with the one that you have',
    );
  }
}

export class FactorNotFoundError extends ApiError {
  constructor() {
    super('factor_not_found', 'factor not found');
  }
}

/** Largest number of passkeys of an account. */
export const MAX_PASSKEYS = 10;

export class TooManyPasskeysError extends ApiError {
  constructor() {
    super(
      'too_many_passkeys',
      `you have ${MAX_PASSKEYS} passkeys, the most that there may be: remove one`,
    );
  }
}

/** 400: the response of the browser does not prove a new passkey. */
export class PasskeyInvalidError extends ApiError {
  constructor() {
    super('passkey_invalid', 'the passkey was not added: ask for new options, and try again');
  }
}

/** 404: without the host name of PUBLIC_URL there are no passkeys. */
export class PasskeysNotConfiguredError extends ApiError {
  constructor() {
    super(
      'passkeys_not_configured',
      'passkeys need a PUBLIC_URL with a host name, not an IP address: ask the operator of this server to set it',
    );
  }
}

/** 403: SIGNUP does not let this person make an account. */
export class SignUpClosedError extends ApiError {
  constructor() {
    super(
      'signup_closed',
      'nobody can sign up here: ask the people who run this site for an account',
    );
  }
}

/** 403: people sign in by the provider only. */
export class ProviderOnlyError extends ApiError {
  constructor() {
    super('provider_only', 'people sign in by single sign-on only: use that');
  }
}

/** 403: the account has not confirmed its email address. */
export class EmailUnverifiedError extends ApiError {
  constructor() {
    super('email_unverified', 'confirm your email address first: the link is in your mail');
  }
}

/** 400: the token of a link is unknown, was used or has expired. */
export class LinkInvalidError extends ApiError {
  constructor() {
    super('link_invalid', 'the link is not valid any more: ask for a new one');
  }
}

export class SessionNotFoundError extends ApiError {
  constructor() {
    super('session_not_found', 'session not found');
  }
}

const ACCESS_TOKEN_PROBLEMS = {
  missing: [
    'access_token_missing',
    'missing access token: send it as "Authorization: Bearer <token>"',
  ],
  invalid: ['access_token_invalid', 'invalid access token'],
  ended: [
    'session_ended',
    'the session has ended (time, sign-out, new password, or 20 newer sessions): sign in again',
  ],
} as const;

/** The access token is missing or invalid, or its session has ended. */
export class AccessTokenError extends ApiError {
  constructor(problem: keyof typeof ACCESS_TOKEN_PROBLEMS) {
    const [reason, message] = ACCESS_TOKEN_PROBLEMS[problem];
    super(reason, message, { code: ResultCode.ACCESS_TOKEN });
  }
}

/** The access token has expired. The client refreshes it and repeats the request. */
export class AccessTokenExpiredError extends ApiError {
  constructor() {
    super('access_token_expired', 'access token has expired', {
      code: ResultCode.ACCESS_TOKEN,
      headers: { instruction: 'refresh_token' },
    });
  }
}

export class RefreshTokenError extends ApiError {
  constructor() {
    super('refresh_token_invalid', 'invalid refresh token: sign in again');
  }
}

/** Largest number of personal access tokens of a user. */
export const MAX_TOKENS = 50;

export class TooManyTokensError extends ApiError {
  constructor() {
    super(
      'too_many_tokens',
      `you have ${MAX_TOKENS} tokens, the most that there may be: delete one`,
    );
  }
}

export class TokenNotFoundError extends ApiError {
  constructor() {
    super('token_not_found', 'token not found');
  }
}

/** 403: the personal access token is valid, but the route needs a session. */
export class SessionNeededError extends ApiError {
  constructor() {
    super('session_needed', 'sign in: a personal access token cannot do this');
  }
}

export class InsufficientRoleError extends ApiError {
  constructor() {
    super('insufficient_role', 'permission denied: does not have sufficient role');
  }
}
