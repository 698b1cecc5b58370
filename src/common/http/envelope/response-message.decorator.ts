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

export function responseMessageOf(reflector: Reflector, handler: Handler): string {
  return reflector.get<string | undefined>(RESPONSE_MESSAGE, handler) ?? 'success';
}

export function isRawResponse(reflector: Reflector, handler: Handler): boolean {
  return reflector.get<boolean | undefined>(RAW_RESPONSE, handler) === true;
}
