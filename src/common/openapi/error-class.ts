import type { HttpException } from '@nestjs/common';

/** An error that an endpoint may answer. One that takes arguments says which ones are an example. */
export type ErrorClass = { readonly name: string } & (
  (new () => HttpException) | { readonly example: () => HttpException }
);

/** The error as a client may see it. */
export function exampleOfError(error: ErrorClass): HttpException {
  return 'example' in error ? error.example() : new error();
}
