import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { apiTypes } from '../../scripts/client/api-types.ts';
import { startApp, type TestApp } from '../support/start-app.js';
import { Description, type Schema } from './description.js';

/** Types of Swift, Kotlin and TypeScript that a schema of the same name would hide. */
const TYPES = new Set(
  (
    'Any AnyObject Array Bool Boolean Char Character Class Codable Data Date Decimal Dictionary Double ' +
    'Encoder Decoder Enum Error Exception File Float Function Int Integer List Long Map Never Nothing ' +
    'Number Object Optional Pair Promise Protocol Record Regex Request Response Result Self Set String ' +
    'Symbol Task Text Throwable Type URL UUID Unit View Void'
  ).split(' '),
);

/** The largest size of the description. It would be three times as large if operations shared no components. */
const LARGEST_BYTES_AN_OPERATION = 3_500;

/** The letters and digits of a name, which generators keep; in lower case, so that no two differ in case only. */
const identifierOf = (value: unknown): string =>
  String(value)
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

const repeated = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

/** Generators make types, methods and cases from the names of the description. */
describe('GET /openapi.json, for generators', () => {
  let server: TestApp;
  let description: Description;
  let properties: (readonly [where: string, name: string, Schema])[];

  beforeAll(async () => {
    server = await startApp({ env: { PUBLIC_URL: 'https://api.example.org/v1/' } });
    description = await Description.read(server.url);
    properties = description
      .objects()
      .flatMap(([schema, fields]) =>
        Object.entries(fields).map(([name, field]) => [`${schema}.${name}`, name, field] as const),
      );
  });

  it('should name the server by PUBLIC_URL', () => {
    expect(description.document.servers).toEqual([{ url: 'https://api.example.org/v1' }]);
  });

  it('should be what client/src/api-types.ts was generated from', async () => {
    const types = await apiTypes(JSON.parse(description.text) as object);
    expect(types === readFileSync('client/src/api-types.ts', 'utf8')).toBe(true);
  });

  it('should have at most 3,500 bytes an operation, because operations refer to shared components', () => {
    const bytes = Buffer.byteLength(description.text) / description.operations.length;
    expect(bytes).toBeLessThanOrEqual(LARGEST_BYTES_AN_OPERATION);
  });

  it('should give each operation a unique id that reads as a method', () => {
    const ids = description.operations.map(({ operation }) => operation.operationId);
    expect(repeated(ids.map((id) => id.toLowerCase()))).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['listLatestBlogs', 'publishBlog']));
  });

  it('should mark the paths of older servers as deprecated', () => {
    const old = description.operations.filter(({ operation }) => operation.deprecated);
    expect(old.map(({ name }) => name).sort()).toEqual([
      'GET /blog/list/latest',
      'POST /auth/token/refresh',
      'PUT /blog/author',
      'PUT /blog/author/submit/id/:id',
      'PUT /blog/author/withdraw/id/:id',
    ]);
  });

  it('should describe every operation, parameter and field', () => {
    const hasText = (text: string | undefined): boolean => (text ?? '').length > 3;
    expect(
      description.problems(({ operation: { description: text, parameters = [] } }) => [
        ...(hasText(text) ? [] : ['no description']),
        ...parameters.filter(({ description }) => !hasText(description)).map(({ name }) => name),
      ]),
    ).toEqual([]);
    const undescribed = properties.filter(
      ([, , field]) => !hasText(field.description ?? description.resolve(field).description),
    );
    expect(undescribed.map(([where]) => where)).toEqual([]);
  });

  it('should have one spelling for each field name, with two exceptions', () => {
    const names = Map.groupBy(properties, ([, name]) => name.replace(/_/g, '').toLowerCase());
    const spellings = [...names.values()].map((found) => [
      ...new Set(found.map(([, name]) => name)),
    ]);
    expect(spellings.filter(({ length }) => length > 1).map((names) => names.sort())).toEqual([
      // `_id` identifies a record, `id` a heading or an event.
      ['_id', 'id'],
      // Only the body of a refresh has `refresh_token`.
      ['refreshToken', 'refresh_token'],
    ]);
    const refreshTokenFields = properties.filter(([, name]) => name === 'refresh_token');
    expect(refreshTokenFields.map(([where]) => where)).toEqual(['RefreshDto.refresh_token']);
  });

  it('should have no names that differ only in case, and none of a built-in type', () => {
    const schemas = Object.keys(description.document.components.schemas);
    expect(schemas.filter((name) => TYPES.has(name) || !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(repeated(schemas.map((name) => name.toLowerCase()))).toEqual([]);
    const { responses, parameters } = description.document.components;
    for (const shared of [responses, parameters]) {
      const names = Object.keys(shared);
      expect(names.length).toBeGreaterThan(15);
      expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
      expect(repeated(names.map((name) => name.toLowerCase()))).toEqual([]);
    }
    for (const [, fields] of description.objects()) {
      expect(repeated(Object.keys(fields).map((name) => identifierOf(name)))).toEqual([]);
    }
  });

  it('should have no case called name or ordinal, which every Kotlin enumeration has as members', () => {
    const cases = description.operations.flatMap(({ operation: { parameters = [] } }) =>
      parameters.flatMap(({ schema }) => schema['x-enum-varnames'] ?? schema.enum ?? []),
    );
    expect(cases).toContain('by_name');
    const fields = properties.flatMap(([, , { enum: values = [] }]) => values);
    expect([...cases, ...fields].filter((name) => name === 'name' || name === 'ordinal')).toEqual(
      [],
    );
  });

  it('should have enumerations whose cases differ, and none of a single value', () => {
    const enums = properties.flatMap(([where, , { enum: values, items }]) =>
      values ? [[where, values] as const] : items?.enum ? [[where, items.enum] as const] : [],
    );
    expect(enums.length).toBeGreaterThan(5);
    const bad = enums.filter(
      ([, values]) => values.length === 1 || repeated(values.map(identifierOf)).length > 0,
    );
    expect(bad).toEqual([]);
  });

  it('should have the message of the route as the description of a success', () => {
    // The message of the example may differ: operations with the same envelope share one example.
    expect(
      description.problems(({ operation, route: { endpoint } }) => {
        const message = (operation.responses['200'] ?? operation.responses['303'])?.description;
        return message === (endpoint.message ?? 'success') ? [] : [`says ${message}`];
      }),
    ).toEqual([]);
  });

  describe('the examples', () => {
    it('should fit the schema of their parameter or header', () => {
      expect(
        description.problems(({ operation: { parameters = [] } }) =>
          parameters.flatMap(({ name, schema, example }) => {
            const problem = description.mismatch(schema, schema.example ?? example);
            return problem === null ? [] : [`${name}: ${problem}`];
          }),
        ),
      ).toEqual([]);
      const headers = Object.entries(description.document.components.headers).map(
        ([name, { schema, example }]) => [name, description.mismatch(schema, example)] as const,
      );
      expect(headers.filter(([, problem]) => problem !== null)).toEqual([]);
    });

    it('should exist for each body and response, and fit its schema', () => {
      expect(
        description.problems(({ operation: { requestBody, responses } }) => {
          const media = [
            ...(requestBody ? [['body', requestBody.content] as const] : []),
            ...Object.entries(responses).map(([status, { content }]) => [status, content] as const),
          ];
          return media.flatMap(([where, content]) => {
            const [type] = Object.values(content ?? {});
            if (!type) return ['303', '304'].includes(where) ? [] : [`${where} has no content`];
            const examples =
              type.example === undefined
                ? Object.values(type.examples ?? {}).map(({ value }) => value)
                : [type.example];
            if (examples.length === 0) return [`${where} has no example`];
            return examples
              .map((example) => description.mismatch(type.schema, example))
              .filter((problem) => problem !== null)
              .map((problem) => `${where}: ${problem}`);
          });
        }),
      ).toEqual([]);
    });

    it('should have the status of their response', () => {
      expect(
        description.problems(({ operation: { responses } }) =>
          Object.entries(responses)
            .filter(([status]) => Number(status) >= 400)
            .flatMap(([status, { content }]) =>
              Object.values(content?.['application/json']?.examples ?? {})
                .map(({ value }) => (value as { status: number }).status)
                .filter((given) => String(given) !== status)
                .map((given) => `an example of ${status} says ${given}`),
            ),
        ),
      ).toEqual([]);
    });

    it('should be accepted by the server: sign-up, sign-in, contact', async () => {
      const bodyOf = (name: string): unknown =>
        description.operations.find((described) => described.name === name)?.operation.requestBody
          ?.content['application/json']?.example;
      for (const path of ['/auth/signup/basic', '/auth/signin/basic', '/contact']) {
        const { status } = await server.client.post(path, bodyOf(`POST ${path}`));
        expect([path, status]).toEqual([path, 200]);
      }
    });
  });
});
