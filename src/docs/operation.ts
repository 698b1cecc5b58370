import type { Access } from '../common/access/access.decorator.js';
import { errorsByStatus, type ErrorContext, type ErrorGroup } from './errors.js';
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

/** The declarations of an operation's handler, and the schemas that the operation refers to. */
export interface OperationRules extends Omit<ErrorContext, 'inputs'> {
  readonly schemas: Schemas;
  /** As in EndpointOptions. */
  readonly noIndex: boolean;
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

const NO_INDEX = { 'x-robots-tag': header('NoIndex') };

/** The components that describe the response headers of errors, by header name in lower case. */
const ERROR_HEADERS: Readonly<Record<string, string>> = {
  instruction: 'Instruction',
  location: 'Location',
  'cache-control': 'CacheControl',
  'retry-after': 'RetryAfter',
};

/**
 * Adds to an operation what @nestjs/swagger does not generate: its security, its errors, the headers of
 * every response, and examples of bodies, which are made from the examples of the fields.
 */
export function completeOperation(operation: Operation, rules: OperationRules): void {
  const { access, schemas, noIndex } = rules;
  operation.security = securityOf(access);
  completeBody(operation, schemas);
  for (const media of Object.values(operation.responses['200']?.content ?? {})) {
    media.example = exampleOf(media.schema, schemas, operation.operationId);
  }
  for (const [status, errors] of errorsByStatus({ ...rules, inputs: inputsOf(operation) })) {
    operation.responses[status] = errorResponse(errors);
  }
  for (const response of Object.values(operation.responses)) {
    response.headers = { ...COMMON_HEADERS, ...(noIndex ? NO_INDEX : {}), ...response.headers };
  }
}

/** The server reads a missing body as `{}`, so a body is required only if one of its fields is. */
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

function inputsOf({ parameters = [], requestBody }: Operation): ErrorContext['inputs'] {
  return {
    path: parameters.some(({ in: place }) => place === 'path'),
    body: requestBody !== undefined,
    ifMatch: parameters.some(({ name }) => name === 'If-Match'),
  };
}

/** @throws Error for a header without a component */
function errorResponse({ description, headers, hasFields, examples }: ErrorGroup): Response {
  const schema = {
    $ref: `#/components/schemas/${hasFields ? 'ValidationErrorEnvelope' : 'ErrorEnvelope'}`,
  };
  const described = headers.map((name) => {
    const component = ERROR_HEADERS[name];
    if (component === undefined) throw new Error(`the header ${name} is not described`);
    return [name, header(component)];
  });
  return {
    description,
    headers: Object.fromEntries(described) as Record<string, unknown>,
    content: { 'application/json': { schema, examples } as never },
  };
}
