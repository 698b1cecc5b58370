import type { ArgumentMetadata, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { BadParameterError, InvalidBodyError } from '../errors/api.errors.js';
import type { FieldError } from '../envelope/envelope.js';

/** Context of a constraint that reports several errors for one value, for example for a list. */
export interface ConstraintContext {
  readonly describe: (value: unknown, field: string) => readonly FieldError[];
}

/**
 * Parses path, query or body into its DTO:
 * 1. keeps the declared fields only (allow-list);
 * 2. transforms them as the DTO declares (trim, parse numbers);
 * 3. validates.
 *
 * @returns an instance of the DTO; the unchanged value when the class declares no fields
 * @throws BadParameterError for path and query
 * @throws InvalidBodyError for a body, with every field error
 */
export function parseInput(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
  const fields = metatype === undefined ? [] : declaredFields(metatype);
  if (metatype === undefined || fields.length === 0) return value;
  const isBody = type === 'body';
  if (isBody && !isJsonObject(value) && !isMissing(value, metatype)) {
    throw new InvalidBodyError([{ field: '', message: 'the body must be a JSON object' }]);
  }
  const source = (value ?? {}) as Record<string, unknown>;
  if (!isBody) rejectSeveralValues(source, fields);
  const dto = plainToInstance(metatype as Type<object>, pick(source, fields, metatype));
  const errors = validateSync(dto).flatMap(toFieldErrors);
  if (errors.length === 0) return dto;
  if (isBody) throw new InvalidBodyError(errors);
  throw new BadParameterError(errors.map(({ message }) => message).join(', '));
}

/**
 * Parses and validates fields of a record as if a request had sent them.
 *
 * @param record a record that has some fields of the DTO; the others are not validated
 * @returns the fields of the DTO that the record has, as the API would store them
 * @throws InvalidBodyError
 */
export function parseRecord(
  record: Readonly<Record<string, unknown>>,
  dto: Type<object>,
): Record<string, unknown> {
  const given = declaredFields(dto).filter((name) => record[name] !== undefined);
  const parsed = parseInput(record, { metatype: dto, type: 'body' }) as Record<string, unknown>;
  return Object.fromEntries(given.map((name) => [name, parsed[name]]));
}

const fieldsByClass = new WeakMap<object, readonly string[]>();

/** The fields of a DTO that have validation rules, inherited ones included. */
export function declaredFields(
  metatype: NonNullable<ArgumentMetadata['metatype']>,
): readonly string[] {
  const known = fieldsByClass.get(metatype);
  if (known) return known;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
  const fields = [...new Set(metadata.map(({ propertyName }) => propertyName))];
  fieldsByClass.set(metatype, fields);
  return fields;
}

export function isJsonObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NULLABLE_BODIES = new WeakSet<object>();

/** Declares that `null` as the whole body counts as a missing body. Other bodies refuse it with 422. */
export const NullableBody = (): ClassDecorator => (dto) => {
  NULLABLE_BODIES.add(dto);
};

function isMissing(body: unknown, dto: object): boolean {
  return body === undefined || (body === null && NULLABLE_BODIES.has(dto));
}

function pick(
  source: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  { prototype }: Type,
): object {
  const valueOf = (field: string): unknown => {
    const value = source[field];
    const takesObject = Reflect.hasMetadata(TAKES_OBJECT, prototype as object, field);
    return takesObject && isJsonObject(value) ? JSON.stringify(value) : replaceObjects(value);
  };
  return Object.fromEntries(
    fields.filter((field) => Object.hasOwn(source, field)).map((field) => [field, valueOf(field)]),
  );
}

const TAKES_OBJECT = Symbol('takes an object');

/** Declares that a field takes an object. Its decorators get the object as JSON, as a form would send it. */
export const TakesObject = (): PropertyDecorator => Reflect.metadata(TAKES_OBJECT, true);

/**
 * Replaces an object, or the objects in a list, by a value that every validator refuses. Few fields of this API
 * take an object (see TakesObject), and class-transformer would call `new object.constructor()` with a `constructor` that a
 * client could set.
 */
function replaceObjects(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown) => (isObject(item) ? INVALID_VALUE : item));
  return isObject(value) ? INVALID_VALUE : value;
}

const INVALID_VALUE = Symbol('an object');

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/**
 * Refuses a parameter that is given several times, which the router turns into an array, and one such as
 * `page[$gt]=1`, which would otherwise be ignored.
 */
function rejectSeveralValues(
  source: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): void {
  for (const field of fields) {
    if (Array.isArray(source[field])) throw new BadParameterError(`give ${field} once`);
    if (Object.keys(source).some((key) => key.startsWith(`${field}[`))) {
      throw new BadParameterError(`${field} must be a single value`);
    }
  }
}

function toFieldErrors({ property, value, constraints, contexts }: ValidationError): FieldError[] {
  return Object.entries(constraints ?? {}).flatMap(([name, message]) => {
    const context = contexts?.[name] as ConstraintContext | undefined;
    return context ? [...context.describe(value, property)] : [{ field: property, message }];
  });
}
