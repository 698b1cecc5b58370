/** The `code` of the response envelope: the kind of result, in addition to the HTTP status. */
export const ResultCode = {
  SUCCESS: '10000',
  FAILURE: '10001',
  /** A temporary failure (429 or 503, always with `Retry-After`): the client may try again. */
  RETRY: '10002',
  /** The access token is missing, malformed, expired or revoked (401). */
  ACCESS_TOKEN: '10003',
} as const;

export type ResultCode = (typeof ResultCode)[keyof typeof ResultCode];
