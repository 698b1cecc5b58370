import { beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { API_ROUTES } from '../routes/routes.js';
import { startApp } from '../support/start-app.js';
import { Description, isRequiredHeader, unbounded } from './description.js';

const ENVELOPE = ['code', 'status', 'message'];

/** The status that a parameter adds: 301 for a former slug, 304 for a current copy, 410 for removed events. */
const STATUS_OF_PARAMETER = { slug: 301, 'If-None-Match': 304, after: 410 };

/** Operations that are not found if no mail can be sent. */
const NEEDS_MAIL = new Set([
  'forgotPassword',
  'changeEmail',
  'sendEmailVerification',
  'createInvitation',
]);

/** Operations that are not found without PUBLIC_URL. */
const NEEDS_PUBLIC_URL = new Set([
  'beginPasskey',
  'addPasskey',
  'beginPasskeySignIn',
  'signInByPasskey',
]);

/** Operations on something of the caller that is not found if there is none. */
const NEEDS_OWN = new Set(['renewRecoveryCodes']);

/** Operations that are not found without OIDC_ISSUER. */
const NEEDS_PROVIDER = new Set(['startOidc', 'finishOidc', 'exchangeOidcCode']);

/** Operations whose answer shows a secret once. */
const SHOWS_SECRET = new Set(['createApiKey', 'createWebhook', 'createToken']);

describe('GET /openapi.json', () => {
  let description: Description;

  beforeAll(async () => {
    const { url } = await startApp();
    description = await Description.read(url);
  });

  const expectNoProblems = (...given: Parameters<Description['problems']>): void =>
    expect(description.problems(...given)).toEqual([]);

  it('should be valid OpenAPI 3.1', async () => {
    expect(description.document.openapi).toMatch(/^3\.1\./);
    const validator = new Validator();
    const parsed = JSON.parse(description.text) as Record<string, unknown>;
    const { valid, errors } = await validator.validate(parsed);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('should refer to every component, and to nothing else', () => {
    const { securitySchemes: _, ...components } = description.document.components;
    const existing = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    const references = [...description.text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, path]) => path);
    expect([...new Set(references)].sort()).toEqual(existing.sort());
  });

  it('should describe every route of the API, and nothing else', () => {
    const routes = API_ROUTES.map(({ route }) => route);
    expect(description.operations.map(({ name }) => name).sort()).toEqual(routes.sort());
  });

  it('should name the API, its version, its author and its licence', () => {
    expect(description.document.info).toEqual({
      title: 'Pressroom',
      description: expect.stringContaining('x-request-id'),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      contact: { name: expect.any(String) },
      license: { name: 'MIT', url: expect.any(String) },
    });
  });

  it('should give each operation a summary and a tag that is explained', () => {
    const explained = description.document.tags.filter(({ description }) => description);
    const names = explained.map(({ name }) => name);
    expectNoProblems(({ operation: { summary = '', tags = [] } }) => [
      ...(summary.length >= 5 && !summary.endsWith('.') ? [] : [`summary "${summary}"`]),
      ...(tags.length === 1 && tags.every((tag) => names.includes(tag))
        ? []
        : [`tags ${tags.join()}`]),
    ]);
    const used = new Set(description.operations.flatMap(({ operation }) => operation.tags));
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });

  it('should ask for the credentials that the guards ask for', () => {
    const { securitySchemes } = description.document.components;
    expect(Object.keys(securitySchemes)).toEqual(['apiKey', 'accessToken']);
    expectNoProblems(({ operation, route: { access } }) => {
      const { apiKey, token } = access;
      const needed = {
        ...(apiKey ? { apiKey: [] } : {}),
        ...(token === 'none' ? {} : { accessToken: [] }),
      };
      const expected = apiKey ? [needed] : [];
      const given = JSON.stringify(operation.security);
      return given === JSON.stringify(expected) ? [] : [`security ${given}`];
    });
  });

  it('should declare the statuses that access and inputs imply, and no others', () => {
    expectNoProblems(({ operation, method, route: { access, isLimited, endpoint } }) => {
      const { apiKey, token, roles } = access;
      const parameters = operation.parameters ?? [];
      const has = (place: string): boolean => parameters.some(({ in: where }) => where === place);
      const takesIdempotencyKey = parameters.some(({ name }) => name === 'Idempotency-Key');
      const expected = [
        endpoint.isRedirect ? 303 : 200,
        400,
        408,
        431,
        500,
        503,
        ...(method === 'get' ? [] : [413, 415]),
        ...(endpoint.document?.type === 'image/*' ? [206, 304] : []),
        ...(apiKey ? [401, 403] : []),
        // Feeds and sitemap, which need no token, are not found without SITE_URL.
        ...(has('path') || (endpoint.document && token === 'none') ? [404] : []),
        // For a repeated request: 404 if its record was removed, 410 if the secret can no longer be shown.
        ...(takesIdempotencyKey && token !== 'none' ? [404] : []),
        ...(takesIdempotencyKey && SHOWS_SECRET.has(operation.operationId) ? [410] : []),
        ...([NEEDS_MAIL, NEEDS_PUBLIC_URL, NEEDS_OWN, NEEDS_PROVIDER].some((set) =>
          set.has(operation.operationId),
        )
          ? [404]
          : []),
        ...(operation.requestBody ? [422] : []),
        ...(isLimited ? [429] : []),
        ...(parameters.some(({ name }) => name === 'If-Match') ? [412] : []),
        ...(parameters.some(isRequiredHeader) ? [428] : []),
        ...Object.entries(STATUS_OF_PARAMETER).flatMap(([parameter, status]) =>
          parameters.some(({ name }) => name === parameter) ? [status] : [],
        ),
      ];
      expect(token === 'none' || apiKey).toBe(true);
      expect(roles.length === 0 || ['required', 'session'].includes(token)).toBe(true);
      // This route of older servers takes the id of the blog from the body.
      const optional = operation.operationId === 'updateNamedBlog' ? ['404'] : [];
      const declared = Object.keys(operation.responses).filter((code) => !optional.includes(code));
      const missing = expected.map(String).filter((code) => !declared.includes(code));
      const surplus = declared.filter((code) => !expected.map(String).includes(code));
      return [
        ...missing.map((code) => `lacks ${code}`),
        ...surplus.map((code) => `declares ${code}`),
      ];
    });
  });

  it('should describe each success in JSON, except the JWKS, as a closed envelope', () => {
    expectNoProblems(({ name, operation, route: { endpoint } }) => {
      const content = operation.responses['200']?.content;
      if (endpoint.isRedirect) return operation.responses['303']?.content ? ['a body'] : [];
      if (endpoint.document) {
        return content?.[endpoint.document.type] ? [] : ['another type'];
      }
      const reference = content?.['application/json']?.schema;
      if (!reference || name === 'GET /.well-known/jwks.json')
        return reference ? [] : ['no schema'];
      const schema = description.resolve(reference);
      const { required = [], properties: all = {}, additionalProperties } = schema;
      const { warnings: _, ...properties } = all;
      const fields = [...ENVELOPE, ...(properties['data'] ? ['data'] : [])];
      return [
        ...(additionalProperties === false ? [] : ['open']),
        ...(String(required) === String(fields) ? [] : [`required ${required.join()}`]),
        ...(String(Object.keys(properties)) === String(fields) ? [] : ['other properties']),
        ...(description.resolve(properties['code'] ?? {}).pattern === '^10000$' ? [] : ['code']),
        ...(/Envelope$/.test(reference.$ref ?? '') ? [] : ['no name']),
      ];
    });
  });

  it('should declare an ETag for the answers that have one', () => {
    expectNoProblems(({ operation, route: { endpoint } }) => {
      const isDeclared = Object.hasOwn(operation.responses['200']?.headers ?? {}, 'etag');
      const isPicture = endpoint.document?.type === 'image/*';
      const hasEtag = endpoint.revision === true || endpoint.cache !== undefined || isPicture;
      return isDeclared === hasEtag ? [] : [`etag: ${isDeclared}`];
    });
  });

  it('should give every parameter an example, and bounds unless it is a header', () => {
    expect(
      description.problems(({ operation: { parameters = [] } }) => [
        ...parameters
          .filter((parameter) => parameter.in !== 'header')
          .flatMap(({ name, schema }) => unbounded(name, schema)),
        ...parameters
          .filter(({ schema, example }) => (schema.example ?? example) === undefined)
          .map(({ name }) => `${name} lacks an example`),
        ...parameters
          // Parameters of a query may be optional.
          .filter((parameter) => parameter.in === 'path' && parameter.required !== true)
          .map(({ name }) => `${name} is not required`),
      ]),
      // A tag of any length is accepted: the list of a tag that no blog has is empty.
    ).toEqual(['GET /blogs/tag/:tag: tag is unbounded']);
  });

  it('should give bounds to every field of a request', () => {
    const bodies = description.operations.flatMap(({ operation: { requestBody } }) =>
      requestBody ? [Object.values(requestBody.content)[0]?.schema ?? {}] : [],
    );
    expect(bodies.length).toBeGreaterThan(10);
    const names = bodies.map(({ $ref = '' }) => $ref.replace('#/components/schemas/', ''));
    expect(names.filter((name) => !/^[A-Z]\w+Dto$/.test(name))).toEqual([]);
    const found = [...new Set(names)].flatMap((name) =>
      Object.entries(
        description.resolve({ $ref: `#/components/schemas/${name}` }).properties ?? {},
      ).flatMap(([field, schema]) =>
        unbounded(`${name}.${field}`, schema, description.resolve.bind(description)),
      ),
    );
    // Any text that is no refresh token gets 401, so only the limit of the body bounds it.
    // The size of a picture is bounded by a setting.
    expect(found).toEqual([
      'RefreshDto.refresh_token is unbounded',
      'UploadMediaDto.file is unbounded',
    ]);
  });

  /**
   * Responses promise only what also holds for records of older servers, so their texts have no maximum
   * length. Ids and times have the same form in all records.
   */
  it('should give an example to every property, a pattern to ids and a format to times', () => {
    const found = description.objects().flatMap(([name, properties]) =>
      Object.entries(properties).flatMap(([field, schema]) => {
        const where = `${name}.${field}`;
        // A field that may be null has a choice of schemas, the first of which is its own.
        const { $ref, items } = schema.anyOf?.[0] ?? schema;
        const isComposed = $ref !== undefined || items?.$ref !== undefined;
        const isFixed = schema.enum?.length === 1;
        const isList = items?.properties !== undefined;
        return [
          ...((schema.type ?? $ref ?? schema.oneOf) ? [] : [`${where} has no type`]),
          ...(isComposed || isFixed || isList || schema.example !== undefined
            ? []
            : [`${where} lacks an example`]),
          ...(field === '_id' && !schema.pattern ? [`${where} lacks its pattern`] : []),
          ...(field.endsWith('At') && schema.format !== 'date-time' ? [`${where} is no time`] : []),
        ];
      }),
    );
    expect(found).toEqual([]);
  });

  it('should allow unknown fields in every input', () => {
    const schemas = Object.entries(description.document.components.schemas);
    const inputs = schemas.filter(([name]) => name.endsWith('Dto'));
    expect(inputs.filter(([, schema]) => schema.additionalProperties === false)).toEqual([]);
  });

  it('should use nothing that OpenAPI 3.1 has abolished', () => {
    expect(description.text).not.toMatch(/"(nullable|exclusiveM(in|ax)imum":true)/);
  });
});
