import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, Schema, SchemaType } from 'mongoose';
import type { TestApp } from '../support/start-app.js';

/** Values that no valid write stores, so that a dump can be searched for them. */
export const FOREIGN_VALUES = {
  text: 'foreign-value',
  number: 987_654,
  time: '2001-02-03T04:05:06.789Z',
  id: 'f0f0f0f0f0f0f0f0f0f0f0f0',
} as const;

/** A stored field: its path from the top of the document, and what its schema says of it. */
interface StoredField {
  readonly path: string;
  readonly type: SchemaType;
}

type Values = (type: SchemaType) => unknown;
type Fields = Record<string, unknown>;

/** Every path of every schema of the running server, nested ones as well. */
export function storedFields({ app }: Pick<TestApp, 'app'>): StoredField[] {
  const { models } = app.get<Connection>(getConnectionToken());
  const fields = Object.values(models).flatMap(({ schema }) => fieldsOf(schema, ''));
  return [...new Map(fields.map((field) => [field.path, field])).values()];
}

function fieldsOf(schema: Schema, prefix: string): StoredField[] {
  return Object.entries(schema.paths).flatMap(([name, type]) => {
    const path = `${prefix}${name}`;
    const nested = type.schema;
    return [{ path, type }, ...(nested ? fieldsOf(nested, `${path}.`) : [])];
  });
}

/** A value that the field's schema would take. @throws Error for a type that has none here */
function foreignValue(type: SchemaType, flag: boolean, id: string): unknown {
  const nested = type.schema;
  if (nested) {
    const parts = Object.entries(nested.paths);
    return Object.fromEntries(parts.map(([name, part]) => [name, foreignValue(part, flag, id)]));
  }
  const values: Readonly<Record<string, unknown>> = {
    String: FOREIGN_VALUES.text,
    Number: FOREIGN_VALUES.number,
    // JSON has no other.
    BigInt: FOREIGN_VALUES.number,
    Date: FOREIGN_VALUES.time,
    Boolean: flag,
    ObjectId: id,
    Buffer: FOREIGN_VALUES.text,
    Array: [itemOf(type) === 'ObjectId' ? id : FOREIGN_VALUES.text],
  };
  if (!(type.instance in values)) throw new Error(`${type.path}: no value for ${type.instance}`);
  return values[type.instance];
}

function itemOf(type: SchemaType): string | undefined {
  return (type as { embeddedSchemaType?: SchemaType }).embeddedSchemaType?.instance;
}

const OPERATORS = ['$set', '$unset', '$setOnInsert', '$inc', '$push', '$rename', '$where', '$expr'];
const INHERITED = ['constructor', 'prototype', 'toString', 'hasOwnProperty', '_bsontype', 'then'];

/** Names that a handler might unpack. */
const WRAPPERS = ['user', 'blog', 'session', 'data', 'update', 'document'];

/** Foreign fields, to be sent with a valid body. */
export interface ForeignBody {
  readonly label: string;
  readonly fields: Fields;
}

/**
 * Every stored field in every form that might reach a document.
 *
 * @param allowed fields of the valid body, which these leave alone
 * @param realId of a record that a caller might claim
 */
export function foreignBodies(
  stored: readonly StoredField[],
  allowed: ReadonlySet<string>,
  realId: string,
): ForeignBody[] {
  const foreign = stored.filter(({ path }) => !allowed.has(path));
  const isNested = ({ path }: StoredField): boolean => path.includes('.');
  const fieldsWith =
    (values: Values) =>
    (fields: readonly StoredField[]): Fields =>
      Object.fromEntries(fields.map(({ path, type }) => [path, values(type)]));
  const withTrue = fieldsWith((type) => foreignValue(type, true, FOREIGN_VALUES.id));
  const withFalse = fieldsWith((type) => foreignValue(type, false, realId));
  const top = foreign.filter((field) => !isNested(field));
  const dotted = Object.fromEntries(
    top.flatMap(({ path, type }) => [
      [`${path}.0`, foreignValue(type, true, FOREIGN_VALUES.id)],
      [`${path}.$`, foreignValue(type, true, FOREIGN_VALUES.id)],
      [`$${path}`, foreignValue(type, true, FOREIGN_VALUES.id)],
    ]),
  );
  // Allowed fields as well: there it is the operator that is foreign.
  const everything = withTrue(stored);
  // The valid body has a value of its own for what is allowed.
  const wrappers = [...OPERATORS, ...INHERITED, ...WRAPPERS].filter((name) => !allowed.has(name));
  const nameEach = (names: readonly string[]): Fields =>
    Object.fromEntries(names.map((name) => [name, everything]));
  return [
    { label: 'every field', fields: withTrue(top) },
    { label: 'every field with another value', fields: withFalse(top) },
    { label: 'every path', fields: { ...withTrue(foreign.filter(isNested)), ...dotted } },
    ...groupsOf(wrappers).map((names) => ({
      label: `every field below ${names.join()}`,
      fields: nameEach(names),
    })),
  ];
}

/** So many that a body with every field below each stays within what the server reads. */
const GROUP_SIZE = 2;

function groupsOf(names: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(names.length / GROUP_SIZE) }, (_, index) =>
    names.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE),
  );
}

/** JSON that the parser must refuse; `JSON.stringify` cannot write it. */
export function prototypeBodies(stored: readonly StoredField[]): ForeignBody['fields'][] {
  const fields = Object.fromEntries(
    stored.map(({ path, type }) => [path, foreignValue(type, true, FOREIGN_VALUES.id)]),
  );
  const asProto = JSON.parse(`{"__proto__":${JSON.stringify(fields)}}`) as Fields;
  return [asProto, { constructor: { prototype: fields } }, { name: asProto }];
}
