interface ReasonRow {
  /** The HTTP status of errors with this reason. */
  readonly status: number;
  /** What has happened, and what the client should do. */
  readonly meaning: string;
}

/**
 * Every `reason` that an error may have, for programs. A reason keeps its name, its status and its
 * meaning; new ones may be added. docs/api.md lists them.
 */
export const REASONS = {
  blog_moved: { status: 301, meaning: 'the slug is a former one: follow `Location`' },

  malformed_request: { status: 400, meaning: 'the request is not valid HTTP' },
  malformed_path: { status: 400, meaning: 'the path is not validly percent-encoded' },
  malformed_json: { status: 400, meaning: 'the body is not JSON in UTF-8' },
  json_too_complex: { status: 400, meaning: 'the JSON has too many levels or members' },
  invalid_parameter: { status: 400, meaning: 'a parameter of the path or the query does not fit' },
  id_mismatch: { status: 400, meaning: 'body and path name different records' },
  email_taken: { status: 400, meaning: 'an account has this email address: sign in' },
  link_invalid: {
    status: 400,
    meaning: 'the link was used, has expired or is not one of ours: ask for a new one',
  },
  oidc_state_invalid: {
    status: 400,
    meaning: 'the sign-in was begun in another browser, was ended, or took too long: begin again',
  },
  already_invited: { status: 400, meaning: 'the address has an open invitation' },
  slug_taken: { status: 400, meaning: 'another blog has this slug: send a different one' },
  under_review: { status: 400, meaning: 'the blog is in review: withdraw it first' },
  not_submitted: { status: 400, meaning: 'the blog is not in review: submit it first' },
  not_live: { status: 400, meaning: 'the blog is not live' },
  no_edits: { status: 400, meaning: 'the live blog has no edits: edit it first' },
  other_editor_needed: { status: 400, meaning: 'with `FOUR_EYES=on`, another editor has to do it' },
  schedule_order: {
    status: 400,
    meaning: 'the blog would be unpublished before it is published: send the other time as well',
  },
  not_an_author: { status: 400, meaning: 'the user is not an enabled AUTHOR: name another one' },
  not_an_editor: { status: 400, meaning: 'the user is not an enabled EDITOR: name another one' },
  last_admin: { status: 400, meaning: 'the account is the last enabled ADMIN: make another first' },
  media_in_use: { status: 400, meaning: 'live articles or profiles show the picture' },
  revision_unusable: {
    status: 400,
    meaning: 'the text of the revision no longer fits: edit instead',
  },
  unknown_comment: { status: 400, meaning: '`replyTo` names no comment on this blog' },
  too_many_comments: {
    status: 400,
    meaning: 'the blog has as many comments as it may have: delete some',
  },
  too_many_previews: {
    status: 400,
    meaning: 'the blog has as many previews as it may have: end some',
  },
  too_many_webhooks: {
    status: 400,
    meaning: 'there are as many webhooks as there may be: delete one',
  },

  too_many_tokens: { status: 400, meaning: 'you have as many tokens as you may have: delete one' },
  too_many_passkeys: {
    status: 400,
    meaning: 'you have as many passkeys as you may have: remove one',
  },
  passkey_invalid: {
    status: 400,
    meaning: 'the response proves no new passkey: ask for new options, and try again',
  },

  api_key_missing: { status: 401, meaning: 'send an API key as `x-api-key`' },
  access_token_missing: { status: 401, meaning: 'sign in, and send the access token' },
  access_token_invalid: { status: 401, meaning: 'the access token is not one of ours: sign in' },
  access_token_expired: {
    status: 401,
    meaning: 'refresh the access token, and repeat the request',
  },
  session_ended: {
    status: 401,
    meaning:
      'the session has ended (time, sign-out, new password, or 20 newer sessions): sign in again',
  },
  account_deleted: { status: 401, meaning: 'the account was deleted; nothing was stored' },
  refresh_token_invalid: { status: 401, meaning: 'the refresh token is not valid: sign in again' },
  invalid_credentials: { status: 401, meaning: 'email address, password or passkey is wrong' },
  second_factor_required: {
    status: 401,
    meaning: 'the password is right: send the code of the second factor as well',
  },
  wrong_code: { status: 401, meaning: 'the code of the second factor is wrong, or was used' },
  password_needed: {
    status: 401,
    meaning: 'an account has the address of the sign-in: send its password as well, to link it',
  },
  oidc_code_invalid: {
    status: 401,
    meaning: 'the code of the sign-in is unknown, was used or has expired: sign in again',
  },
  oidc_refused: { status: 401, meaning: 'the provider has not confirmed the sign-in: try again' },
  wrong_password: { status: 401, meaning: 'the password that confirms the action is wrong' },

  api_key_invalid: { status: 403, meaning: 'the API key is unknown or disabled' },
  api_key_expired: { status: 403, meaning: 'the date of the API key has passed: use a new key' },
  api_key_scope: {
    status: 403,
    meaning: 'the API key lacks the scope of the route: use another key',
  },
  session_needed: { status: 403, meaning: 'a personal access token cannot do this: sign in' },
  insufficient_role: { status: 403, meaning: 'the account lacks the role' },
  foreign_comment: { status: 403, meaning: "the comment is someone else's: reply to it instead" },

  factor_needed: { status: 403, meaning: 'a role of the account needs a second factor' },
  signup_closed: { status: 403, meaning: 'accounts are made by invitation, or by admins only' },
  provider_only: { status: 403, meaning: 'with `OIDC_ONLY=on`, people sign in by the provider' },
  oidc_email_unverified: {
    status: 403,
    meaning: 'the provider has not verified the email address: verify it there',
  },
  account_disabled: { status: 403, meaning: 'an admin has disabled the account' },
  email_unverified: { status: 403, meaning: 'confirm the email address of your account first' },
  foreign_invitation: { status: 403, meaning: 'the invitation is for another email address' },

  path_not_found: { status: 404, meaning: 'no route has this path' },
  media_not_found: { status: 404, meaning: 'there is no such picture, or it is not for you' },
  blog_not_found: { status: 404, meaning: 'there is no such blog, or it is not for you' },
  author_not_found: { status: 404, meaning: 'nobody has this id, or nothing of theirs is live' },
  user_not_found: { status: 404, meaning: 'there is no such account' },
  token_not_found: { status: 404, meaning: 'you have no such token' },
  session_not_found: { status: 404, meaning: 'you have no such session' },
  factor_not_found: { status: 404, meaning: 'you have no such second factor' },
  invitation_not_found: { status: 404, meaning: 'there is no such open invitation' },
  job_not_found: { status: 404, meaning: 'there is no such job, or it ended long ago' },
  comment_not_found: { status: 404, meaning: 'the blog has no such comment' },
  revision_not_found: { status: 404, meaning: 'the blog has no such revision, or no longer' },
  preview_not_found: { status: 404, meaning: 'the token is not valid, or its preview has ended' },
  api_key_not_found: { status: 404, meaning: 'there is no such API key' },
  webhook_not_found: { status: 404, meaning: 'there is no such webhook' },
  mail_not_configured: { status: 404, meaning: 'the operator has not set up mail' },
  passkeys_not_configured: {
    status: 404,
    meaning: 'the operator has not set `PUBLIC_URL` to a URL with a host name',
  },
  oidc_not_configured: { status: 404, meaning: 'the operator has not set `OIDC_ISSUER`' },
  site_url_missing: { status: 404, meaning: 'the operator has not set `SITE_URL`' },

  method_not_allowed: { status: 405, meaning: 'the path has other methods: see `Allow`' },
  request_timeout: { status: 408, meaning: 'the request did not arrive in time' },
  events_gone: { status: 410, meaning: 'events were removed: rebuild, and read without `after`' },
  secret_gone: {
    status: 410,
    meaning: 'the record exists, but its secret can no longer be shown: make a new one',
  },
  stale_revision: { status: 412, meaning: 'the blog has changed: read it, and repeat the change' },
  body_too_large: { status: 413, meaning: 'the body is larger than the route allows' },
  unsupported_media_type: {
    status: 415,
    meaning: 'the body, or its file, has a type that is not taken',
  },
  slug_reserved: {
    status: 422,
    meaning: 'the root of the site needs this address for itself: send a different slug',
  },
  validation_failed: { status: 422, meaning: 'fields of the body do not fit: see `errors`' },
  picture_refused: { status: 422, meaning: 'the file is damaged, or no picture: see `message`' },
  idempotency_key_reused: {
    status: 422,
    meaning: 'another request has used the `Idempotency-Key`: send a new one',
  },
  revision_required: { status: 428, meaning: 'send `If-Match` with the `ETag` of the blog' },
  rate_limited: { status: 429, meaning: 'too many requests or attempts: wait for `Retry-After`' },
  headers_too_large: { status: 431, meaning: 'the headers are larger than 16 KiB' },
  internal_error: { status: 500, meaning: 'a defect: the log has it under the `x-request-id`' },
  overloaded: { status: 503, meaning: 'nothing was done: repeat after `Retry-After`' },
  unavailable: { status: 503, meaning: 'a read has failed: repeat after `Retry-After`' },
  outcome_unknown: {
    status: 503,
    meaning: 'a write was sent to the database, and may have happened: read before you repeat it',
  },
  oidc_unavailable: { status: 503, meaning: 'the provider does not answer: try again in a moment' },
  not_ready: { status: 503, meaning: 'the server starts, stops, or needs `npm run migrate`' },
} as const satisfies Record<string, ReasonRow>;

/** Why a request was refused, in a word for programs. */
export type Reason = keyof typeof REASONS;
