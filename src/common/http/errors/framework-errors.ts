/** What the HTTP layer refuses before any handler runs, by Fastify's error code. */
const MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'the body is larger than 1 MiB',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'the body must be JSON, with content-type application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body is not as long as content-length says',
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body is not valid JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the body is empty',
  FST_ERR_BAD_URL: 'the path is not validly percent-encoded',
};

/** @returns null when the error does not come from Fastify or needs no wording of its own */
export function messageOfFrameworkError(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return MESSAGES[String(error.code)] ?? null;
}
