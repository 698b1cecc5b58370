import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const KIB = 1_024;
const MIB = 1_048_576;

/** Bytes of a body where a route says nothing else. */
export const DEFAULT_BODY_LIMIT = 16 * KIB;

/** Bytes of a body that carries the text of an article. */
export const ARTICLE_BODY_LIMIT = MIB;

const BODY_LIMIT = Symbol('body limit');

/** @param bytes that a body of this route may have at most */
export const BodyLimit = (bytes: number): CustomDecorator<symbol> => SetMetadata(BODY_LIMIT, bytes);

/** Bytes that a body may have at most where this handler answers. */
export function bodyLimitOf(
  reflector: Reflector,
  handler: Parameters<Reflector['get']>[1],
): number {
  return reflector.get<number | undefined>(BODY_LIMIT, handler) ?? DEFAULT_BODY_LIMIT;
}

/** @param bytes whole KiB @returns as people read it, such as `16 KiB` */
export function sizeInWords(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
