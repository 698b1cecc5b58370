import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/start-app.js';
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

/** A third of what it would be if each operation repeated its parameters, responses and examples. */
const LARGEST_BYTES = 350_000;

/** What the value of an enumeration becomes as a case: letters and digits alone count. */
const caseOf = (value: unknown): string =>
  String(value)
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

const repeated = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

/** The names of the description, from which generators make types, methods and cases. */
describe('GET /openapi.json, for generators', () => {
  let description: Description;
  let properties: (readonly [where: string, name: string, Schema])[];

  beforeAll(async () => {
    const server = await startApp({ env: { PUBLIC_URL: 'https://api.example.org/v1/' } });
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

  it('should hold nothing in its components that it does not refer to', () => {
    const { securitySchemes: _, ...components } = description.document.components;
    const all = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `"#/components/${kind}/${name}"`),
    );
    expect(all.filter((reference) => !description.text.includes(reference))).toEqual([]);
  });

  it('should have at most 350 KB, because operations refer to what they share', () => {
    expect(Buffer.byteLength(description.text)).toBeLessThanOrEqual(LARGEST_BYTES);
  });

  it('should give each operation an id that reads as a method, and is its own', () => {
    const ids = description.operations.map(({ operation }) => operation.operationId);
    expect(repeated(ids.map((id) => id.toLowerCase()))).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['listLatestBlogs', 'publishBlog']));
  });

  it('should advise against the paths of older servers', () => {
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
    const isTold = (text: string | undefined): boolean => (text ?? '').length > 3;
    expect(
      description.problems(({ operation: { description: text, parameters = [] } }) => [
        ...(isTold(text) ? [] : ['no description']),
        ...parameters.filter(({ description }) => !isTold(description)).map(({ name }) => name),
      ]),
    ).toEqual([]);
    const untold = properties.filter(
      ([, , field]) => !isTold(field.description ?? description.resolve(field).description),
    );
    expect(untold.map(([where]) => where)).toEqual([]);
  });

  it('should have one name for one field', () => {
    const names = Map.groupBy(properties, ([, name]) => name.replace(/_/g, '').toLowerCase());
    const spellings = [...names.values()].map((found) => [
      ...new Set(found.map(([, name]) => name)),
    ]);
    expect(spellings.filter(({ length }) => length > 1).map((names) => names.sort())).toEqual([
      // The `_id` of a record; the id of a heading or an event.
      ['_id', 'id'],
      // The interface names it so in the body of a refresh.
      ['refreshToken', 'refresh_token'],
    ]);
    const bodies = properties.filter(([, name]) => name === 'refresh_token');
    expect(bodies.map(([where]) => where)).toEqual(['RefreshDto.refresh_token']);
  });

  it('should have no names that become the same, or that of a type', () => {
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
      expect(repeated(Object.keys(fields).map((name) => caseOf(name)))).toEqual([]);
    }
  });

  it('should name the cases that would be members of an enumeration in Kotlin', () => {
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
      ([, values]) => values.length === 1 || repeated(values.map(caseOf)).length > 0,
    );
    expect(bad).toEqual([]);
  });
});
