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

/** A stored field: its path from the top of the document, and its type in the schema. */
interface StoredField {
  readonly path: string;
  readonly type: SchemaType;
}

type Fields = Record<string, unknown>;

/** Every path of every schema of the running server, including nested ones. */
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

/** A value that fits the type of a field. @throws Error for a type without a value here */
function foreignValue(type: SchemaType, flag: boolean, id: string): unknown {
  const nested = type.schema;
  if (nested) {
    const parts = Object.entries(nested.paths);
    return Object.fromEntries(parts.map(([name, part]) => [name, foreignValue(part, flag, id)]));
  }
  const values: Readonly<Record<string, unknown>> = {
    String: FOREIGN_VALUES.text,
    Number: FOREIGN_VALUES.number,
    // JSON has no other number type.
    BigInt: FOREIGN_VALUES.number,
    Date: FOREIGN_VALUES.time,
    Boolean: flag,
    Mixed: FOREIGN_VALUES.text,
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

/** Names of objects whose fields a handler might copy. */
const WRAPPERS = ['user', 'blog', 'session', 'data', 'update', 'document'];

/**
 * Sets of fields to be sent with a valid body. They have every stored field in every form that might
 * reach a document.
 *
 * @param allowed the fields of the valid body, which the sets do not overwrite
 * @param realId the id of a record that a caller might claim
 */
export function foreignFields(
  stored: readonly StoredField[],
  allowed: ReadonlySet<string>,
  realId: string,
): Fields[] {
  const foreign = stored.filter(({ path }) => !allowed.has(path));
  const top = foreign.filter(({ path }) => !path.includes('.'));
  const nested = foreign.filter(({ path }) => path.includes('.'));
  // A top field is sent twice: a flag as true, then false; an id as foreign, then real.
  const firstValue = ({ type }: StoredField) => foreignValue(type, true, FOREIGN_VALUES.id);
  const secondValue = ({ type }: StoredField) => foreignValue(type, false, realId);
  const dotted = top.flatMap((field) =>
    [`${field.path}.0`, `${field.path}.$`, `$${field.path}`].map(
      (name) => [name, firstValue(field)] as const,
    ),
  );
  // Allowed names are left out, because they have a value in the valid body.
  const wrappers = [...OPERATORS, ...INHERITED, ...WRAPPERS].filter((name) => !allowed.has(name));
  // Each wrapper holds a share of all stored fields, allowed ones included. If a handler copied its fields, a
  // foreign value would be stored, or the schema would refuse an unknown name.
  const wrapped = wrappers.map((wrapper, turn) => {
    const share = stored.filter((_, index) => index % wrappers.length === turn);
    return [
      wrapper,
      Object.fromEntries(share.map((field) => [field.path, firstValue(field)])),
    ] as const;
  });
  return [
    ...inBodies([...top.map((field) => [field.path, firstValue(field)] as const), ...wrapped]),
    ...inBodies(nested.map((field) => [field.path, firstValue(field)] as const)),
    ...inBodies(dotted),
    ...inBodies(top.map((field) => [field.path, secondValue(field)] as const)),
  ];
}

/** Largest size of the foreign fields of a body, in characters: with a valid body they fit into 16 KiB. */
const MAX_FOREIGN = 12_000;

/** Distributes fields over bodies. */
function inBodies(fields: readonly (readonly [name: string, value: unknown])[]): Fields[] {
  let size = 0;
  const bodies = Map.groupBy(fields, (field) => {
    size += JSON.stringify(field).length;
    return Math.floor(size / MAX_FOREIGN);
  });
  return [...bodies.values()].map((body) => Object.fromEntries(body));
}

/** Bodies that the JSON parser of the server must refuse. Only `JSON.parse` makes an own property `__proto__`. */
export function prototypeBodies(stored: readonly StoredField[]): Fields[] {
  const top = stored.filter(({ path }) => !path.includes('.'));
  const fields = Object.fromEntries(
    top.map(({ path, type }) => [path, foreignValue(type, true, FOREIGN_VALUES.id)]),
  );
  const asProto = JSON.parse(`{"__proto__":${JSON.stringify(fields)}}`) as Fields;
  return [asProto, { constructor: { prototype: fields } }, { name: asProto }];
}
