import { HEADERS } from './headers.js';
import { REASONS } from '../platform/http/errors/reasons.js';
import { ENVELOPE_MEMBERS } from '../platform/http/openapi/envelope-schema.js';
import type { Schema, Schemas } from './example.js';
import { FIELD_DESCRIPTIONS } from './field-descriptions.js';

/** The tags, in the order of the docs page. */
export const TAGS: readonly (readonly [name: string, description: string])[] = [
  [
    'public',
    'What readers see: published blogs, for every holder of an API key; previews, for those who ' +
      'also have the token',
  ],
  ['auth', 'Accounts and sessions'],
  ['profile', 'Your own account, and the names of others'],
  ['author', 'Your own blogs: write, submit, withdraw (role AUTHOR)'],
  ['editor', 'Review: publish and unpublish (role EDITOR)'],
  ['media', 'Pictures of articles: upload, find, describe, delete (role AUTHOR or EDITOR)'],
  ['contact', 'Messages to the operators'],
  ['admin', 'Accounts, API keys and messages (role ADMIN)'],
  ['health', 'For load balancers and monitoring; no key'],
  ['operators', 'For those who run or integrate the service; no key'],
];

/**
 * The schema of `reason` is no enumeration, because new reasons may be added, and generated clients
 * refuse a value that their enumeration lacks.
 */
const REASON: Schema = {
  type: 'string',
  pattern: '^[a-z]+(_[a-z]+)*$',
  description: 'Why, in a word for programs. New reasons may be added',
  'x-extensible-enum': Object.keys(REASONS),
} as Schema;

const REASON_REFERENCE = { $ref: '#/components/schemas/Reason' };

const ERROR: Schema = {
  type: 'object',
  description: 'The body of every error except 422',
  additionalProperties: false,
  required: ['code', 'status', 'message', 'reason'],
  properties: {
    code: {
      type: 'string',
      pattern: '^1000[1-3]$',
      description: '10001 failure, 10002 retry (Retry-After), 10003 bad access token',
      example: '10001',
    },
    status: {
      type: 'integer',
      minimum: 301,
      maximum: 599,
      description: 'The HTTP status',
      example: 404,
    },
    message: {
      type: 'string',
      description: 'What happened, and what to do, for people',
      example: 'blog not found',
    },
    reason: { ...REASON_REFERENCE, example: 'blog_not_found' },
  },
} as Schema;

const FIELD_PROBLEM: Schema = {
  type: 'object',
  description: 'A field that is invalid, or that was not stored as it was sent',
  additionalProperties: false,
  required: ['field', 'message'],
  properties: {
    field: {
      type: 'string',
      description: 'The field of the request body, as a path such as tags.0; or Idempotency-Key',
      example: 'title',
    },
    message: {
      type: 'string',
      description: 'What is wrong with it, or what was removed from it',
      example: 'title must be 3 to 500 characters',
    },
  },
} as Schema;

const VALIDATION_ERROR: Schema = {
  type: 'object',
  description: 'The body of a 422, with the invalid fields',
  additionalProperties: false,
  required: ['code', 'status', 'message', 'reason', 'errors'],
  properties: {
    code: { type: 'string', pattern: '^10001$', description: 'Failure', example: '10001' },
    status: {
      type: 'integer',
      minimum: 422,
      maximum: 422,
      description: 'The HTTP status',
      example: 422,
    },
    message: {
      type: 'string',
      description: 'The texts of all errors',
      example: 'validation error: title must be 3 to 500 characters',
    },
    reason: { ...REASON_REFERENCE, example: 'validation_failed' },
    errors: {
      type: 'array',
      minItems: 1,
      description: 'One for each rule that a field breaks',
      items: { $ref: '#/components/schemas/FieldProblem' },
    },
  },
} as Schema;

/** The components that operations refer to, except the generated schemas. */
export const COMPONENTS = {
  securitySchemes: {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'Identifies the client application; created by an admin or by the first start',
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'Identifies the user; returned by sign-up, sign-in and refresh. Or a personal access token, which begins with prt_',
    },
  },
  schemas: {
    ErrorEnvelope: ERROR,
    ValidationErrorEnvelope: VALIDATION_ERROR,
    FieldProblem: FIELD_PROBLEM,
    Reason: REASON,
    ...ENVELOPE_MEMBERS,
  },
  headers: HEADERS,
} as const;

/**
 * Removes the `allOf` in which @nestjs/swagger wraps the `$ref` of a property with a description.
 * OpenAPI 3.0 needed `allOf`; OpenAPI 3.1 allows a description next to `$ref`.
 */
function withoutAllOf(property: Schema): Schema {
  const { allOf, ...others } = property as Schema & { readonly allOf?: readonly Schema[] };
  return allOf?.length === 1 ? { ...allOf[0], ...others } : property;
}

/** @returns the property with its own description, else with the description of its name, if there is one */
function withDescription(schema: string, field: string, property: Schema): Schema {
  const description =
    property.description ?? FIELD_DESCRIPTIONS[`${schema}.${field}`] ?? FIELD_DESCRIPTIONS[field];
  return description === undefined ? property : { ...property, description };
}

/**
 * Describes the properties, and forbids undeclared properties in the schemas of views. The schemas of
 * request bodies allow undeclared properties, because the server ignores them.
 *
 * @param schemas the generated schemas, by class name
 */
export function completeSchemas(schemas: Schemas): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { properties = {}, ...schema }]) => [
      name,
      {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(properties).map(([field, property]) => [
            field,
            withDescription(name, field, withoutAllOf(property)),
          ]),
        ),
        ...(name.endsWith('View') ? { additionalProperties: false } : {}),
      },
    ]),
  );
}
