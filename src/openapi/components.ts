import { SCOPE_NAMES } from '../platform/http/access/key-scopes/key-scope.js';
import { REASONS } from '../platform/http/errors/reasons.js';
import { EXPOSED } from '../platform/http/headers/common-headers.js';
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
  headers: {
    RequestId: {
      description: "The caller's x-request-id if it is acceptable, else a new one",
      schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
      example: '66f1a2b3-c4d5-4e6f-8071-92a3b4c5d6e7',
    },
    NoSniff: { schema: { type: 'string', enum: ['nosniff'] }, example: 'nosniff' },
    CacheControl: {
      description:
        'On successful public reads, except previews: no-cache, or with PUBLIC_CACHE how long a shared ' +
        'cache may keep them. On all other responses: no-store',
      schema: { type: 'string' },
      example: 'no-store',
    },
    AllowOrigin: {
      description: 'Sent to origins that CORS_ORIGINS allows: * or the origin of the request',
      schema: { type: 'string' },
      example: '*',
    },
    ExposeHeaders: {
      description: 'The headers that a script of another origin may read',
      schema: { type: 'string' },
      example: EXPOSED,
    },
    Vary: {
      description: 'Origin where CORS_ORIGINS is a list, Accept-Encoding on public reads',
      schema: { type: 'string' },
      example: 'Accept-Encoding',
    },
    Revision: {
      description: 'Revision of the record, for If-Match',
      schema: { type: 'string', pattern: '^"\\d+"$' },
      example: '"3"',
    },
    EntityTag: {
      description: 'Identifies the bytes of this body, for If-None-Match',
      schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
      example: '"Tm90ZXMgb24gdGhlIEVuZ2luZQ"',
    },
    Location: {
      description: 'The present path, relative to the path of the request',
      schema: { type: 'string' },
      example: 'notes-on-the-engine',
    },
    CacheTag: {
      description:
        'With PUBLIC_CACHE: the tags by which a CDN purges this answer; events list the same tags',
      schema: { type: 'string' },
      example: 'blog-66f1a2b3c4d5e6f708192a3b,author-66f1a2b3c4d5e6f708192a3c',
    },
    CdnCacheControl: {
      description: 'With PUBLIC_CACHE_STALE: how long a CDN may use a stale copy (RFC 9213)',
      schema: { type: 'string' },
      example: 'max-age=600, stale-while-revalidate=3600, stale-if-error=3600',
    },
    ContentEncoding: {
      description:
        'How a cached response is compressed, if the request accepts that; absent if it is not compressed',
      schema: { type: 'string', enum: ['br', 'gzip'] },
      example: 'br',
    },
    NoIndex: {
      description: 'Tells search engines to keep the answer out of their index',
      schema: { type: 'string', enum: ['noindex'] },
      example: 'noindex',
    },
    NextPage: {
      description: 'The next page, as a URL relative to this one; absent on the last page',
      schema: {
        type: 'string',
        pattern: '^<\\?(?:[^<>&]+&)*limit=\\d+&cursor=[A-Za-z0-9_-]+>; rel="next"$',
      },
      example: '<?limit=10&cursor=eyJ2IjoxfQ>; rel="next"',
    },
    TotalCount: {
      description: 'Number of items on all pages; only with `total=true`',
      schema: { type: 'integer', minimum: 0 },
      example: 233,
    },
    RetryAfter: {
      description: 'Seconds to wait before the request is repeated',
      schema: { type: 'integer', minimum: 1 },
      example: 1,
    },
    KeyScopes: {
      description: 'The scopes of the API key; all of them for a key without restriction',
      schema: { type: 'string', pattern: `^(?:${SCOPE_NAMES.join('|')}|,)*$` },
      example: 'read,search',
    },
    Instruction: {
      description:
        'refresh_token if the access token has expired: a refresh returns a new access token',
      schema: { type: 'string', enum: ['refresh_token'] },
      example: 'refresh_token',
    },
  },
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
