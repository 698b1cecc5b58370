import type { ArgumentMetadata, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { BadParameterError, InvalidBodyError } from '../errors/api.errors.js';
import type { FieldError } from '../envelope/envelope.js';

/** Attached to a constraint that finds several errors in one value, such as in a list. */
export interface ConstraintContext {
  readonly describe: (value: unknown, field: string) => readonly FieldError[];
}

/**
 * Parses path, query or body into its DTO:
 * 1. keep the declared fields, so that nothing else ever reaches a service;
 * 2. transform (trim, read numbers) as the DTO says;
 * 3. validate.
 *
 * @returns an instance of the DTO, or the value as it is where there are no rules
 * @throws BadParameterError for path and query
 * @throws InvalidBodyError for a body, with every field error
 */
export function parseInput(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
  const fields = metatype === undefined ? [] : declaredFields(metatype);
  if (metatype === undefined || fields.length === 0) return value;
  const isBody = type === 'body';
  if (isBody && !isJsonObject(value ?? {})) {
    throw new InvalidBodyError([{ field: '', message: 'the body must be a JSON object' }]);
  }
  const source = (value ?? {}) as Record<string, unknown>;
  if (!isBody) refuseBrackets(source, fields);
  const dto = plainToInstance(metatype as Type<object>, pick(source, fields));
  const errors = validateSync(dto).flatMap(toFieldErrors);
  if (errors.length === 0) return dto;
  if (isBody) throw new InvalidBodyError(errors);
  throw new BadParameterError(errors.map(({ message }) => message).join(', '));
}

const fieldsByClass = new WeakMap<object, readonly string[]>();

/** The fields of a DTO that have rules. */
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

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick(source: Readonly<Record<string, unknown>>, fields: readonly string[]): object {
  return Object.fromEntries(
    fields
      .filter((field) => Object.hasOwn(source, field))
      .map((field) => [field, withoutObjects(source[field])]),
  );
}

/**
 * No field of this API holds an object, so one is replaced by what every validator refuses:
 * class-transformer would call whatever its `constructor` key says.
 */
function withoutObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (isObject(item) ? NO_VALUE : item));
  return isObject(value) ? NO_VALUE : value;
}

const NO_VALUE = Symbol('an object');

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** `page[$gt]=1` is an object to many servers; here it is refused rather than overlooked. */
function refuseBrackets(source: object, fields: readonly string[]): void {
  for (const field of fields) {
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
