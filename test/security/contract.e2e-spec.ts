import { beforeAll, describe, expect, it } from '@jest/globals';
import { withoutReferences } from '../../scripts/client/without-references.ts';
import {
  Contract,
  type ObservedResponse,
  type OpenApiDocument,
} from '../support/checks/contract.js';
import { startApp, type TestApp } from '../support/start-app.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Description extends OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const CLOSED_OBJECT = { type: 'object', additionalProperties: false, required: ['code'] };
const VIEW = {
  ...CLOSED_OBJECT,
  properties: { code: { type: 'string' }, reason: { type: 'string' } },
};

/** A description of two operations. One answers 200 with a view by reference, the other 200 without a body. */
const DOCUMENT = {
  paths: {
    '/notes/{id}': {
      get: { responses: { '200': { $ref: '#/components/responses/Note' } } },
      delete: { responses: { '200': {} } },
    },
  },
  components: {
    schemas: { NoteView: VIEW, ErrorEnvelope: VIEW },
    responses: {
      Note: {
        headers: { ETag: {} },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/NoteView' } } },
      },
    },
  },
} as unknown as OpenApiDocument;

const ANSWER: ObservedResponse = {
  method: 'GET',
  path: '/notes/1?page=2',
  status: 200,
  headers: new Headers({ etag: '"1"', 'content-type': 'application/json' }),
  body: { code: '10000' },
};

/** What differs from ANSWER in the answer to an unknown path. */
const PATH_NOT_FOUND = {
  path: '/unknown',
  status: 404,
  body: { code: '10001', reason: 'path_not_found' },
};

describe('The check of every answer that a test gets', () => {
  const contract = new Contract(DOCUMENT);

  it('should accept what is declared', () => {
    expect(() => contract.check(ANSWER)).not.toThrow();
    expect(() => contract.check({ ...ANSWER, method: 'HEAD', body: undefined })).not.toThrow();
    expect(() => contract.check({ ...ANSWER, path: '/others/../notes/./1' })).not.toThrow();
    const notFound = { ...ANSWER, ...PATH_NOT_FOUND };
    expect(() => contract.check(notFound)).not.toThrow();
  });

  it.each<[string, Partial<ObservedResponse>, RegExp]>([
    ['field', { body: { code: '10000', password: 'x' } }, /must NOT have additional properties/],
    ['type', { body: { code: 10_000 } }, /must be string/],
    ['absence of a field', { body: {} }, /must have required property 'code'/],
    ['status', { status: 201 }, /answered 201, a status that it does not declare/],
    ['header', { headers: new Headers({ 'x-powered-by': 'x' }) }, /the header x-powered-by/],
    ['body', { method: 'DELETE', headers: new Headers() }, /with a body that it does not declare/],
    ['body of HEAD', { method: 'HEAD' }, /with a body that it does not declare/],
    ['path', { path: '/others' }, /no such operation is described/],
    ['method', { method: 'PATCH' }, /no such operation is described/],
    ['error', { ...PATH_NOT_FOUND, body: { code: '1', stack: '' } }, /additional/],
    ['reason', { ...PATH_NOT_FOUND, body: { code: '1', reason: 'odd' } }, /the reason odd/],
    ['reason of another status', { ...PATH_NOT_FOUND, status: 400 }, /the reason path_not_found/],
  ])('should refuse a difference from the description: %s', (_label, difference, message) => {
    expect(() => contract.check({ ...ANSWER, ...difference })).toThrow(message);
  });
});

describe('The description of the API', () => {
  let server: TestApp;
  let description: Description;

  beforeAll(async () => {
    server = await startApp();
    const response = await fetch(`${server.url}/openapi.json`);
    description = withoutReferences((await response.json()) as Description);
  });

  /** Where a schema and its parts allow undeclared properties, or any type. */
  function openPlaces(schema: Schema, place: string, seen: ReadonlySet<string>): string[] {
    const { $ref, type, properties = {}, items, allOf = [], oneOf = [], anyOf = [] } = schema;
    if ($ref !== undefined) {
      const name = $ref.replace('#/components/schemas/', '');
      const target = description.components.schemas[name];
      if (!target) throw new Error(`${place} refers to ${$ref}, which is missing`);
      return seen.has(name) ? [] : openPlaces(target, `${place} ${name}`, new Set([...seen, name]));
    }
    const isTyped = type !== undefined || [...allOf, ...oneOf, ...anyOf].length > 0;
    const isOpen = !isTyped || (type === 'object' && schema.additionalProperties !== false);
    const parts = [
      ...Object.entries(properties).map(([name, part]) => [name, part] as const),
      ...(items ? [['[]', items] as const] : []),
      ...[...allOf, ...oneOf, ...anyOf].map((part, index) => [String(index), part] as const),
    ];
    return [
      ...(isOpen ? [place] : []),
      ...parts.flatMap(([name, part]) => openPlaces(part, `${place}.${name}`, seen)),
    ];
  }

  it('should allow no undeclared properties in the objects of any answer', () => {
    const answers = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.entries(responses).flatMap(([status, { content = {} }]) =>
          Object.values(content).map(({ schema }: { schema: Schema }) => ({
            place: `${method} ${path} ${status}`,
            schema,
          })),
        ),
      ),
    );
    expect(answers.length).toBeGreaterThan(200);
    const open = answers.flatMap(({ schema, place }) => openPlaces(schema, place, new Set()));
    // The W3C says what browsers take (Web Authentication).
    const options = 'PasskeyOptionsEnvelope.data PasskeyOptionsView.options';
    expect(open).toEqual([
      `post /auth/factors/passkeys/options 200 ${options}`,
      `post /auth/passkeys/options 200 ${options}`,
    ]);
  });
});
