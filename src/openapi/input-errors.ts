import type { Type } from '@nestjs/common';
import { ApiError } from '../platform/http/errors/api.errors.js';
import { handlerInputs, type HandlerInput } from '../platform/http/input/handler-inputs.js';
import { parseInput } from '../platform/http/input/parse-input.js';

/** A value that every field refuses, because no field of the API takes an object. */
const INVALID = {};

/**
 * Example errors for the path, the query and the body of a handler. Each is the real error of a
 * request in which the first declared field is invalid.
 *
 * @returns one error for each of the three that has rules
 */
export function inputErrors(controller: Type, handler: string): ApiError[] {
  return handlerInputs(controller, handler).flatMap(errorOf);
}

function errorOf({ metatype, type, fields: [first] }: HandlerInput): ApiError[] {
  if (first === undefined) return [];
  try {
    parseInput({ [first]: INVALID }, { metatype, type });
    return [];
  } catch (error) {
    if (error instanceof ApiError) return [error];
    throw error;
  }
}
