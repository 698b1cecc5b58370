import type { Access } from '../platform/http/access/access.decorator.js';
import { scopesIn } from '../platform/http/access/key-scopes/key-scope.js';
import { errorsByStatus, type ErrorContext, type ErrorGroup } from './errors.js';
import { exampleOf, resolve, type Schema, type Schemas } from './example.js';
import { parameterDescription } from './field-descriptions.js';

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, object>;
}

export interface Parameter {
  in: string;
  name: string;
  description?: string;
  schema?: Schema;
}

export interface Response {
  description: string;
  content?: Record<string, MediaType>;
  headers?: Record<string, unknown>;
  [field: string]: unknown;
}

export interface Operation {
  operationId: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
  [field: string]: unknown;
}

/** The declarations of an operation's handler, and the schemas that the operation may refer to. */
export interface OperationRules extends Omit<ErrorContext, 'inputs'> {
  readonly schemas: Schemas;
  readonly path: string;
  /** Whether search engines are told to keep the answer out of their index, as in EndpointOptions. */
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
const NO_REFERRER = { 'referrer-policy': header('NoReferrer') };

/** The components that describe the response headers of errors, by header name in lower case. */
const ERROR_HEADERS: Readonly<Record<string, string>> = {
  instruction: 'Instruction',
  location: 'Location',
  'cache-control': 'CacheControl',
  'retry-after': 'RetryAfter',
};

/**
 * Adds to an operation what @nestjs/swagger does not generate: its security and who may call it, its
 * errors, the headers of every response, and examples of bodies, made from the examples of the fields.
 */
export function completeOperation(operation: Operation, rules: OperationRules): void {
  const { access, schemas, noIndex, path } = rules;
  operation.security = securityOf(access);
  operation.description = [operation.description, callersOf(access), scopesOf(access)]
    .filter(Boolean)
    .join(' ');
  for (const parameter of operation.parameters ?? []) {
    const description = parameter.description ?? parameterDescription(parameter.name, path);
    if (description !== undefined) parameter.description = description;
    if (parameter.schema) parameter.schema = withCaseNames(parameter.schema);
  }
  completeBody(operation, schemas);
  for (const media of Object.values(operation.responses['200']?.content ?? {})) {
    media.example = exampleOf(media.schema, schemas, operation.operationId);
  }
  for (const [status, errors] of errorsByStatus({ ...rules, inputs: inputsOf(operation) })) {
    operation.responses[status] = errorResponse(errors);
  }
  for (const response of Object.values(operation.responses)) {
    response.headers = {
      ...COMMON_HEADERS,
      ...(noIndex ? NO_INDEX : {}),
      ...(operation.responses['303'] ? NO_REFERRER : {}),
      ...response.headers,
    };
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

/** Members of every Kotlin enumeration: an enumeration case with such a name would not compile. */
const KOTLIN_MEMBERS: ReadonlySet<unknown> = new Set(['name', 'ordinal']);

/** Gives openapi-generator other names for the cases of an enumeration, if a value cannot be a case's name. */
function withCaseNames(schema: Schema): Schema {
  if (!schema.enum?.some((value) => KOTLIN_MEMBERS.has(value))) return schema;
  const names = schema.enum.map((value) =>
    KOTLIN_MEMBERS.has(value) ? `by_${String(value)}` : value,
  );
  return { ...schema, 'x-enum-varnames': names } as Schema;
}

/** Tells who may call an operation. */
function callersOf({ apiKey, token, roles }: Access): string {
  if (!apiKey) return 'For everyone, without an API key.';
  if (token === 'none') return 'For every holder of an API key.';
  const users = roles.length === 0 ? 'every user' : `users with the role ${roles.join(' or ')}`;
  return token === 'required' ? `For ${users}.` : `For ${users}, not with a personal access token.`;
}

/** Tells which scopes of an API key open an operation, if not every key does. */
function scopesOf({ scopes }: Access): string {
  const names = scopesIn(scopes).map((scope) => `\`${scope}\``);
  return names.length === 0 ? '' : `The key needs the scope ${names.join(' or ')}.`;
}

function inputsOf({ parameters = [], requestBody }: Operation): ErrorContext['inputs'] {
  return {
    path: parameters.some(({ in: location }) => location === 'path'),
    body: requestBody !== undefined,
    ifMatch: parameters.some(({ name }) => name === 'If-Match'),
    idempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

/** @throws Error for a header without a component */
function errorResponse({ description, headers, hasFields, examples }: ErrorGroup): Response {
  const schema = {
    $ref: `#/components/schemas/${hasFields ? 'ValidationErrorEnvelope' : 'ErrorEnvelope'}`,
  };
  const responseHeaders = headers.map((name) => {
    const component = ERROR_HEADERS[name];
    if (component === undefined) throw new Error(`the header ${name} is not described`);
    return [name, header(component)];
  });
  return {
    description,
    headers: Object.fromEntries(responseHeaders) as Record<string, unknown>,
    content: { 'application/json': { schema, examples } },
  };
}
