import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const KIB = 1_024;
const MIB = 1_048_576;

/** Limit in bytes for routes without BodyLimit. */
export const DEFAULT_BODY_LIMIT = 16 * KIB;

/** Limit in bytes for a body with the text of an article. */
export const ARTICLE_BODY_LIMIT = MIB;

const BODY_LIMIT = Symbol('body limit');

/** @param bytes limit for the body of this route */
export const BodyLimit = (bytes: number): CustomDecorator<symbol> => SetMetadata(BODY_LIMIT, bytes);

/** @returns the limit of the handler in bytes */
export function bodyLimitOf(
  reflector: Reflector,
  handler: Parameters<Reflector['get']>[1],
): number {
  return reflector.get<number | undefined>(BODY_LIMIT, handler) ?? DEFAULT_BODY_LIMIT;
}

/** @param bytes a multiple of 1 KiB @returns text such as `16 KiB` */
export function sizeInWords(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
