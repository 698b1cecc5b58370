import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const RESPONSE_MESSAGE = Symbol('response message');
const RAW_RESPONSE = Symbol('raw response');

type Handler = Parameters<Reflector['get']>[1];

/** The envelope's `message` on success. The default is `success`. */
export const ResponseMessage = (message: string): CustomDecorator<symbol> =>
  SetMetadata(RESPONSE_MESSAGE, message);

/** Sends the value without the envelope, for formats such as a JSON Web Key Set. */
export const RawResponse = (): CustomDecorator<symbol> => SetMetadata(RAW_RESPONSE, true);

/** @returns undefined for a raw response, which has no envelope */
export function responseMessageOf(reflector: Reflector, handler: Handler): string | undefined {
  if (reflector.get<boolean | undefined>(RAW_RESPONSE, handler) === true) return undefined;
  return reflector.get<string | undefined>(RESPONSE_MESSAGE, handler) ?? 'success';
}
