import { HttpException, type Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { declaredFields, parseInput } from '../common/http/input/parse-input.js';

const PLACES = [
  [RouteParamtypes.PARAM, 'param'],
  [RouteParamtypes.QUERY, 'query'],
  [RouteParamtypes.BODY, 'body'],
] as const;

/** No field of the API takes an object. */
const MISFIT = {};

/**
 * What a handler's path, query and body are answered with when the first field of each does not fit.
 *
 * @returns none for an input that takes any text
 */
export function inputErrors(controller: Type, handler: string): HttpException[] {
  const inputs = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Readonly<
    Record<string, { readonly index: number }>
  >;
  const types = (Reflect.getMetadata(
    PARAMTYPES_METADATA,
    controller.prototype as object,
    handler,
  ) ?? []) as readonly Type[];
  return PLACES.flatMap(([place, type]) =>
    Object.entries(inputs)
      .filter(([key]) => key.startsWith(`${place}:`))
      .flatMap(([, { index }]) => errorOf(types[index], type)),
  );
}

function errorOf(metatype: Type | undefined, type: 'param' | 'query' | 'body'): HttpException[] {
  const [first] = metatype ? declaredFields(metatype) : [];
  if (!metatype || first === undefined) return [];
  try {
    parseInput({ [first]: MISFIT }, { metatype, type });
    return [];
  } catch (error) {
    if (error instanceof HttpException) return error.message === '' ? [] : [error];
    throw error;
  }
}
