import type { ErrorMembers } from '../envelope/envelope.js';
import { sizeInWords } from '../input/body-limit.js';

/** The errors that Node and Fastify detect before a handler runs. */
export const FRAMEWORK_ERRORS = {
  malformedPath: {
    reason: 'malformed_path',
    message: 'the path is not validly percent-encoded',
  },
  malformedRequest: { reason: 'malformed_request', message: 'malformed HTTP request' },
  malformedJson: { reason: 'malformed_json', message: 'the body is not valid JSON' },
  wrongLength: {
    reason: 'malformed_request',
    message: 'the body is not as long as content-length says',
  },
  unknownPath: { reason: 'path_not_found', message: 'not found: no such path' },
  tooSlow: { reason: 'request_timeout', message: 'the request took too long to arrive' },
  unsupportedMediaType: {
    reason: 'unsupported_media_type',
    message: 'the body must be JSON, with content-type application/json',
  },
  headersTooLarge: {
    reason: 'headers_too_large',
    message: 'the request headers are larger than 16 KiB',
  },
} as const satisfies Record<string, ErrorMembers>;

export type FrameworkErrorName = keyof typeof FRAMEWORK_ERRORS;

/** @param limit limit in bytes */
export function bodyTooLarge(limit: number): ErrorMembers {
  return { reason: 'body_too_large', message: `the body is larger than ${sizeInWords(limit)}` };
}

const ERROR_BY_FASTIFY_CODE: Readonly<Record<string, ErrorMembers>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: FRAMEWORK_ERRORS.unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: FRAMEWORK_ERRORS.wrongLength,
  FST_ERR_CTP_INVALID_JSON_BODY: FRAMEWORK_ERRORS.malformedJson,
};

/**
 * @param bodyLimit body limit of the route, in bytes
 * @returns what an error of Fastify puts into its envelope; null for any other error
 */
export function frameworkErrorOf(error: unknown, bodyLimit: number): ErrorMembers | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const code = String(error.code);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyLimit);
  return ERROR_BY_FASTIFY_CODE[code] ?? null;
}
