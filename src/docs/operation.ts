import type { Access } from '../common/access/access.decorator.js';
import type { DeclaredError } from '../common/openapi/endpoint.decorator.js';
import {
  ERROR_DESCRIPTIONS,
  errorExamples,
  type ErrorContext,
  type ErrorStatus,
} from './errors.js';
import { exampleOf, resolve, type Schema, type Schemas } from './example.js';

interface MediaType {
  schema: Schema;
  example?: unknown;
}

interface Response {
  content?: Record<string, MediaType>;
  headers?: Record<string, unknown>;
  [field: string]: unknown;
}

export interface Operation {
  operationId: string;
  parameters?: { in: string; name: string }[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
  [field: string]: unknown;
}

/** Where an operation is and what its handler declares. */
export interface OperationRules {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  /** Bytes of a body at most. */
  readonly bodyLimit: number;
  readonly errors: readonly DeclaredError[];
  readonly schemas: Schemas;
}

function header(name: string): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

const COMMON_HEADERS = {
  'x-request-id': header('RequestId'),
  'x-content-type-options': header('NoSniff'),
  'cache-control': header('CacheControl'),
  'access-control-allow-origin': header('AllowOrigin'),
  'access-control-expose-headers': header('ExposeHeaders'),
  vary: header('Vary'),
};

const EXTRA_HEADERS: Partial<Record<ErrorStatus, Record<string, { $ref: string }>>> = {
  401: { instruction: header('Instruction') },
  429: { 'retry-after': header('RetryAfter') },
  503: { 'retry-after': header('RetryAfter') },
};

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['post', 'put', 'delete']);

/**
 * Adds what no decorator says: the security an operation asks for, the errors that its access and
 * inputs imply, the headers of every response, and examples made of those of the fields.
 */
export function completeOperation(operation: Operation, rules: OperationRules): void {
  const { access, schemas } = rules;
  operation.security = securityOf(access);
  completeBody(operation, schemas);
  for (const media of Object.values(operation.responses['200']?.content ?? {})) {
    media.example = exampleOf(media.schema, schemas, operation.operationId);
  }
  const context = contextOf(operation, rules);
  for (const status of impliedStatuses(operation, rules, context)) {
    operation.responses[status] = errorResponse(status, context);
  }
  for (const response of Object.values(operation.responses)) {
    response.headers = { ...COMMON_HEADERS, ...response.headers };
  }
}

/** A missing body is one without fields, so it is required only where a field is. */
function completeBody({ operationId, requestBody }: Operation, schemas: Schemas): void {
  if (!requestBody) return;
  for (const media of Object.values(requestBody.content)) {
    const { required = [] } = media.schema.$ref
      ? resolve(media.schema.$ref, schemas)
      : media.schema;
    requestBody.required = required.length > 0;
    media.example = exampleOf(media.schema, schemas, operationId);
  }
}

function securityOf({ apiKey, token }: Access): Record<string, string[]>[] {
  if (!apiKey) return [];
  return [{ apiKey: [], ...(token === 'none' ? {} : { accessToken: [] }) }];
}

function contextOf(
  { parameters = [], requestBody }: Operation,
  { path, method, access, bodyLimit }: OperationRules,
): ErrorContext {
  const places = new Set(parameters.map(({ in: place }) => place));
  const inputs = {
    path: places.has('path'),
    query: places.has('query'),
    body: requestBody !== undefined,
  };
  return { path, method: method.toUpperCase(), access, bodyLimit, inputs };
}

function impliedStatuses(
  { parameters = [] }: Operation,
  { method, access: { apiKey, token }, errors }: OperationRules,
  { inputs }: ErrorContext,
): Set<ErrorStatus> {
  const hasIfMatch = parameters.some(({ name }) => name === 'If-Match');
  return new Set<ErrorStatus>([
    // The HTTP layer can refuse any request, and any defect is a 500.
    ...([400, 408, 431, 500, 503] as const),
    ...(METHODS_WITH_BODY.has(method) ? ([413, 415] as const) : []),
    ...(apiKey ? ([401, 403] as const) : []),
    ...(token === 'none' ? [] : ([401] as const)),
    ...(inputs.path ? ([404] as const) : []),
    ...(inputs.body ? ([422] as const) : []),
    ...(hasIfMatch ? ([412] as const) : []),
    ...errors,
  ]);
}

function errorResponse(status: ErrorStatus, context: ErrorContext): Response {
  const schema = { $ref: `#/components/schemas/${status === 422 ? 'ValidationError' : 'Error'}` };
  return {
    description: ERROR_DESCRIPTIONS[status],
    headers: EXTRA_HEADERS[status] ?? {},
    content: { 'application/json': { schema, examples: errorExamples(status, context) } as never },
  };
}
