import { sizeInWords } from '../input/body-limit.decorator.js';

/** Messages for requests that are refused before a handler runs. */
export const REFUSALS = {
  malformedPath: 'the path is not validly percent-encoded',
  malformedRequest: 'malformed HTTP request',
  malformedJson: 'the body is not valid JSON',
  wrongLength: 'the body is not as long as content-length says',
  tooSlow: 'the request took too long to arrive',
  bodyTooLarge: (limit: number) => `the body is larger than ${sizeInWords(limit)}`,
  otherType: 'the body must be JSON, with content-type application/json',
  headersTooLarge: 'the request headers are larger than 16 KiB',
  unknownPath: 'not found: no such path',
} as const;

const BY_FASTIFY_CODE: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: REFUSALS.otherType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: REFUSALS.wrongLength,
  FST_ERR_CTP_INVALID_JSON_BODY: REFUSALS.malformedJson,
};

/**
 * @param bodyLimit of the route, in bytes
 * @returns the message for an error of Fastify; null for any other
 */
export function messageOfFrameworkError(error: unknown, bodyLimit: number): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const code = String(error.code);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return REFUSALS.bodyTooLarge(bodyLimit);
  return BY_FASTIFY_CODE[code] ?? null;
}
