import type { Access } from '../common/access/access.decorator.js';
import type { DeclaredError } from '../common/openapi/endpoint.decorator.js';

type Status = DeclaredError | 403 | 408 | 413 | 415 | 431 | 500;

export interface Operation {
  operationId: string;
  parameters?: { in: string }[];
  requestBody?: unknown;
  responses: Record<string, Record<string, unknown>>;
  security?: Record<string, string[]>[];
  [field: string]: unknown;
}

const DESCRIPTIONS: Readonly<Record<Status, string>> = {
  400: 'malformed request, illegal state change or duplicate',
  401: 'API key or access token missing, malformed, expired or revoked',
  403: 'API key not valid, or role not sufficient',
  404: 'unknown, or not yours',
  408: 'the request took too long to arrive',
  412: 'If-Match names another revision',
  413: 'the body is larger than 1 MiB',
  415: 'the body is not application/json',
  422: 'the body does not fit',
  431: 'the request headers are larger than 16 KiB',
  500: 'a defect of the server; the log has the cause under the request id',
  503: 'temporarily unavailable: try again',
};

const COMMON_HEADERS = {
  'x-request-id': { $ref: '#/components/headers/RequestId' },
  'x-content-type-options': { $ref: '#/components/headers/NoSniff' },
  'cache-control': { $ref: '#/components/headers/CacheControl' },
};

const EXTRA_HEADERS: Partial<Record<Status, Record<string, { $ref: string }>>> = {
  401: { instruction: { $ref: '#/components/headers/Instruction' } },
  503: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
};

/**
 * Adds what no decorator says: the security an operation asks for, the errors that its access and
 * inputs imply, and the headers of every response.
 */
export function completeOperation(
  operation: Operation,
  access: Access,
  declared: readonly DeclaredError[],
): void {
  operation.security = securityOf(access);
  for (const status of impliedStatuses(operation, access, declared)) {
    operation.responses[status] = errorResponse(status);
  }
  for (const response of Object.values(operation.responses)) {
    response['headers'] = { ...COMMON_HEADERS, ...(response['headers'] as object | undefined) };
  }
}

function securityOf({ apiKey, token }: Access): Record<string, string[]>[] {
  if (!apiKey) return [];
  return [{ apiKey: [], ...(token === 'none' ? {} : { accessToken: [] }) }];
}

function impliedStatuses(
  { parameters = [], requestBody }: Operation,
  { apiKey, token }: Access,
  declared: readonly DeclaredError[],
): Set<Status> {
  const hasInput = parameters.some(({ in: place }) => place === 'path' || place === 'query');
  const hasIfMatch = parameters.some(
    (parameter) => 'name' in parameter && parameter.name === 'If-Match',
  );
  return new Set<Status>([
    // The HTTP layer can refuse any request, and any defect is a 500.
    ...([400, 408, 413, 415, 431, 500, 503] as const),
    ...(apiKey ? ([401, 403] as const) : []),
    ...(token === 'none' ? [] : ([401] as const)),
    ...(hasInput ? ([400, 404] as const) : []),
    ...(requestBody ? ([422] as const) : []),
    ...(hasIfMatch ? ([412] as const) : []),
    ...declared,
  ]);
}

function errorResponse(status: Status): Record<string, unknown> {
  const schema = status === 422 ? 'ValidationError' : 'Error';
  return {
    description: DESCRIPTIONS[status],
    headers: EXTRA_HEADERS[status] ?? {},
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}
