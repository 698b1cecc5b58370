import type { Access } from '../common/access/access.decorator.js';
import { UnansweredError } from '../common/http/errors/api.errors.js';
import { REFUSALS } from '../common/http/errors/framework-errors.js';
import { errorEnvelope, type Envelope, type FieldError } from '../common/http/envelope/envelope.js';
import { ResultCode } from '../common/http/envelope/result-code.js';
import type { DeclaredError } from '../common/openapi/endpoint.decorator.js';

export type ErrorStatus = DeclaredError | 403 | 408 | 413 | 415 | 431 | 500;

/** What an operation is about, as far as its errors depend on it. */
export interface ErrorContext {
  /** As the router has it, such as `/blog/id/{id}`. */
  readonly path: string;
  /** In capitals. */
  readonly method: string;
  readonly access: Access;
  /** Bytes of a body at most. */
  readonly bodyLimit: number;
  readonly inputs: { readonly path: boolean; readonly query: boolean; readonly body: boolean };
}

export const ERROR_DESCRIPTIONS: Readonly<Record<ErrorStatus, string>> = {
  400: 'malformed request, illegal state change or duplicate',
  401: 'API key or access token missing, malformed, expired or revoked',
  403: 'API key not valid, or role not sufficient',
  404: 'unknown, or not yours',
  408: REFUSALS.tooSlow,
  412: 'If-Match names another revision',
  413: 'the body is larger than this operation reads; the example says how much that is',
  415: 'the body is not application/json',
  422: 'the body does not fit',
  429: 'too many attempts: try again after the seconds of Retry-After',
  431: REFUSALS.headersTooLarge,
  500: 'a defect of the server; the log has the cause under the request id',
  503: 'temporarily unavailable: try again',
};

const FIELD_ERROR: FieldError = {
  field: 'name',
  message: 'name must be 1 to 200 characters',
};

/** Examples of one error, by name. */
export function errorExamples(
  status: ErrorStatus,
  context: ErrorContext,
): Record<string, { readonly value: Envelope }> {
  const messages = MESSAGES[status](context);
  return Object.fromEntries(
    Object.entries(messages).map(([name, given]) => {
      const [message, code] = typeof given === 'string' ? [given] : given;
      const errors = status === 422 ? [FIELD_ERROR] : undefined;
      return [name, { value: errorEnvelope(status, message, code, errors) }];
    }),
  );
}

type Messages = Record<string, string | readonly [string, ResultCode]>;

const MESSAGES: Readonly<Record<ErrorStatus, (context: ErrorContext) => Messages>> = {
  400: ({ inputs }) => ({
    ...(inputs.path ? { malformedPath: REFUSALS.malformedPath } : {}),
    ...(inputs.query ? { badQuery: 'page must be a whole number from 1 to 999999999' } : {}),
    ...(inputs.body ? { malformedJson: REFUSALS.malformedJson } : {}),
    malformedRequest: REFUSALS.malformedRequest,
  }),
  401: ({ access: { apiKey, token } }) => ({
    ...(apiKey ? { missingKey: 'permission denied: missing x-api-key header' } : {}),
    ...(token === 'none'
      ? {}
      : { invalidToken: ['invalid access token', ResultCode.ACCESS_TOKEN] as const }),
    ...(token === 'required'
      ? { expiredToken: ['access token has expired', ResultCode.ACCESS_TOKEN] as const }
      : {}),
  }),
  403: ({ access: { role } }) => ({
    invalidKey: 'permission denied: invalid x-api-key',
    ...(role === null
      ? {}
      : { insufficientRole: 'permission denied: does not have sufficient role' }),
  }),
  404: ({ path }) => ({ unknown: `${nounOf(path)} not found` }),
  408: () => ({ tooSlow: REFUSALS.tooSlow }),
  412: () => ({
    stale: 'the blog has changed since you read it: read it again and repeat your change',
  }),
  413: ({ bodyLimit }) => ({ tooLarge: REFUSALS.bodyTooLarge(bodyLimit) }),
  415: () => ({ otherType: REFUSALS.otherType }),
  422: () => ({ badField: `validation error: ${FIELD_ERROR.message}` }),
  429: () => ({ tooMany: ['too many attempts: try again in 8 seconds', ResultCode.RETRY] }),
  431: () => ({ tooLarge: REFUSALS.headersTooLarge }),
  500: () => ({ defect: 'something went wrong' }),
  503: ({ method }) => {
    const { message } = new UnansweredError('the database cannot be reached', method);
    return { databaseAway: [message, ResultCode.RETRY] };
  },
};

function nounOf(path: string): string {
  if (path.includes('/apikeys/')) return 'api key';
  return path.includes('/users/') || path.startsWith('/profile/') ? 'user' : 'blog';
}
