/** OpenAPI descriptions of properties that many views and inputs share. */

export const EXAMPLE_ID = '66f1a2b3c4d5e6f708192a3b';

/** The `_id` of a view. */
export const ID = { type: String, pattern: '^[0-9a-f]{24}$', example: EXAMPLE_ID } as const;

/** A date of a view. */
export const TIME = { type: Date, example: '2026-01-31T08:15:30.123Z' } as const;

/** An http(s) URL of a view. Records of an older server may hold other texts, which views omit. */
export const HTTP_ADDRESS = {
  type: String,
  maxLength: 500,
  pattern: '^[hH][tT][tT][pP][sS]?://',
} as const;
