import { sizeInWords } from '../input/body-limit.js';

/** Status and message of the errors that Node and Fastify find before a handler runs. */
export const FRAMEWORK_ERRORS = {
  malformedPath: { status: 400, message: 'the path is not validly percent-encoded' },
  malformedRequest: { status: 400, message: 'malformed HTTP request' },
  malformedJson: { status: 400, message: 'the body is not valid JSON' },
  wrongLength: { status: 400, message: 'the body is not as long as content-length says' },
  unknownPath: { status: 404, message: 'not found: no such path' },
  tooSlow: { status: 408, message: 'the request took too long to arrive' },
  unsupportedMediaType: {
    status: 415,
    message: 'the body must be JSON, with content-type application/json',
  },
  headersTooLarge: { status: 431, message: 'the request headers are larger than 16 KiB' },
} as const;

/** @param limit in bytes */
export function bodyTooLarge(limit: number): string {
  return `the body is larger than ${sizeInWords(limit)}`;
}

const MESSAGE_BY_FASTIFY_CODE: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: FRAMEWORK_ERRORS.unsupportedMediaType.message,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: FRAMEWORK_ERRORS.wrongLength.message,
  FST_ERR_CTP_INVALID_JSON_BODY: FRAMEWORK_ERRORS.malformedJson.message,
};

/**
 * @param bodyLimit of the route, in bytes
 * @returns the message for an error of Fastify; null for any other
 */
export function messageOfFrameworkError(error: unknown, bodyLimit: number): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const code = String(error.code);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyLimit);
  return MESSAGE_BY_FASTIFY_CODE[code] ?? null;
}
