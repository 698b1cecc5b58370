import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { declaredFields } from './parse-input.js';

const INPUT_TYPES = [
  [RouteParamtypes.PARAM, 'param'],
  [RouteParamtypes.QUERY, 'query'],
  [RouteParamtypes.BODY, 'body'],
] as const;

/** A DTO that a handler takes. */
export interface HandlerInput {
  readonly type: 'param' | 'query' | 'body';
  readonly metatype: Type;
  readonly fields: readonly string[];
}

/** The DTOs of the path, the query and the body of a handler, in this order. */
export function handlerInputs(controller: Type, handler: string): HandlerInput[] {
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
      .flatMap(([, { index }]) => types[index] ?? [])
      .map((metatype) => ({ type, metatype, fields: declaredFields(metatype) })),
  );
}
