type Schema = Record<string, unknown>;

const ERROR_CODES = ['10001', '10002', '10003'];

/** Parts that every operation refers to. */
export const COMPONENTS = {
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  },
  schemas: {
    Error: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'status', 'message'],
      properties: {
        code: { type: 'string', enum: ERROR_CODES },
        status: { type: 'integer', minimum: 400, maximum: 599 },
        message: { type: 'string' },
      },
      example: { code: '10001', status: 404, message: 'blog not found' },
    },
    ValidationError: {
      type: 'object',
      additionalProperties: false,
      required: ['code', 'status', 'message', 'errors'],
      properties: {
        code: { type: 'string', enum: ['10001'] },
        status: { type: 'integer', enum: [422] },
        message: { type: 'string' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['field', 'message'],
            properties: {
              field: { type: 'string', description: 'A path such as tags.0' },
              message: { type: 'string' },
            },
          },
        },
      },
      example: {
        code: '10001',
        status: 422,
        message: 'validation error: title must be 3 to 500 characters',
        errors: [{ field: 'title', message: 'title must be 3 to 500 characters' }],
      },
    },
  },
  headers: {
    RequestId: {
      description: "The caller's x-request-id if it is acceptable, else a new one",
      schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    },
    NoSniff: { schema: { type: 'string', enum: ['nosniff'] } },
    CacheControl: {
      description: 'no-cache on successful public reads, else no-store',
      schema: { type: 'string', enum: ['no-store', 'no-cache'] },
    },
    RetryAfter: { description: 'Seconds', schema: { type: 'integer', minimum: 1 } },
    Instruction: {
      description: 'refresh_token when the access token has merely expired',
      schema: { type: 'string', enum: ['refresh_token'] },
    },
  },
} as const;

/**
 * Views answer exactly what they declare; request bodies may carry more, which is ignored.
 *
 * @param schemas the generated ones, by class name
 */
export function closeSchemas(schemas: Readonly<Record<string, unknown>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name.endsWith('View')
        ? { ...(schema as Schema), additionalProperties: false }
        : (schema as Schema),
    ]),
  );
}
