import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { similarName } from '../../similar-name.js';
import { WARNINGS_MAX, type FieldWarning } from '../envelope/envelope.js';
import { handlerInputs } from './handler-inputs.js';
import { isJsonObject } from './parse-input.js';

/** The names that a route knows in the query and in the body of a request. */
export interface KnownNames {
  /** The query parameters that the route reads. */
  readonly query: readonly string[];
  /** The fields of the body that the route reads. */
  readonly body: readonly string[];
  /** Fields that the body may have without a warning, although the route reads none of them. */
  readonly echoed: ReadonlySet<string>;
}

/** Longest name that a warning repeats, in UTF-16 code units. */
const SHOWN_LENGTH = 50;

/** What clients of other variants of the interface, and of Mongoose, send without need. */
const LEGACY_NAMES = ['id', '_id', '__v', 'refresh_token', 'refreshToken'];

/**
 * The key under which the decorators of @nestjs/swagger list the fields of a class, each with a colon
 * before it. The package does not export it.
 */
const SWAGGER_FIELDS = 'swagger/apiModelPropertiesArray';

/**
 * @param view the type of the answer: clients change a view that they have read, and send it back whole
 */
export function knownNamesOf(
  controller: Type,
  handler: string,
  view: Type | undefined,
): KnownNames {
  const inputs = handlerInputs(controller, handler);
  const fieldsOf = (wanted: string) =>
    inputs.filter(({ type }) => type === wanted).flatMap(({ fields }) => fields);
  return {
    query: fieldsOf('query'),
    body: fieldsOf('body'),
    echoed: new Set([...LEGACY_NAMES, ...viewFields(view)]),
  };
}

function viewFields(view: Type | undefined): string[] {
  const listed: unknown = view && Reflect.getMetadata(SWAGGER_FIELDS, view.prototype as object);
  return Array.isArray(listed) ? listed.map((name) => String(name).slice(1)) : [];
}

/**
 * Warns of names in a request that the route does not know and has ignored.
 *
 * @returns WARNINGS_MAX warnings at most
 */
export function unknownNameWarnings(
  { query, body }: Pick<FastifyRequest, 'query' | 'body'>,
  { query: parameters, body: fields, echoed }: KnownNames,
): FieldWarning[] {
  const warnings: FieldWarning[] = [];
  const collect = (source: object, known: readonly string[], ignored?: ReadonlySet<string>) => {
    for (const name in source) {
      if (warnings.length >= WARNINGS_MAX) return;
      if (!known.includes(name) && !ignored?.has(name)) warnings.push(warningOf(name, known));
    }
  };
  collect(query as object, parameters);
  if (isJsonObject(body)) collect(body, fields, echoed);
  return warnings;
}

function warningOf(name: string, known: readonly string[]): FieldWarning {
  const field = name.slice(0, SHOWN_LENGTH);
  const meant = similarName(field, known);
  const advice = meant === null ? '' : `: did you mean ${meant}?`;
  return { field, message: `${field} is unknown here and was ignored${advice}` };
}
