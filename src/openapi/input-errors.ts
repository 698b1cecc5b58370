import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiError } from '../platform/http/errors/api.errors.js';
import { declaredFields, parseInput } from '../platform/http/input/parse-input.js';

const INPUT_TYPES = [
  [RouteParamtypes.PARAM, 'param'],
  [RouteParamtypes.QUERY, 'query'],
  [RouteParamtypes.BODY, 'body'],
] as const;

/** A value that every field refuses, because no field of the API takes an object. */
const INVALID = {};

/**
 * Example errors for the path, the query and the body of a handler. Each is the real error of a
 * request in which the first declared field is invalid.
 *
 * @returns one error for each of the three that has rules
 */
export function inputErrors(controller: Type, handler: string): ApiError[] {
  // Nest has no public API for the parameters of a handler; @nestjs/swagger reads this metadata too.
  const inputs = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Readonly<
    Record<string, { readonly index: number }>
  >;
  const types = (Reflect.getMetadata(
    PARAMTYPES_METADATA,
    controller.prototype as object,
    handler,
  ) ?? []) as readonly Type[];
  return INPUT_TYPES.flatMap(([paramtype, type]) =>
    Object.entries(inputs)
      .filter(([key]) => key.startsWith(`${paramtype}:`))
      .flatMap(([, { index }]) => errorOf(types[index], type)),
  );
}

function errorOf(metatype: Type | undefined, type: 'param' | 'query' | 'body'): ApiError[] {
  const [first] = metatype ? declaredFields(metatype) : [];
  if (!metatype || first === undefined) return [];
  try {
    parseInput({ [first]: INVALID }, { metatype, type });
    return [];
  } catch (error) {
    if (error instanceof ApiError) return [error];
    throw error;
  }
}
