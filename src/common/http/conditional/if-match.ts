import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

/** The revisions a request accepts; null accepts any (no header, or `*`). */
export type IfMatch = ReadonlySet<number> | null;

/** The strong entity tag of a record's revision. */
export function revisionTag(rev: number): string {
  return `"${rev}"`;
}

/**
 * Reads `If-Match` (RFC 9110, section 13.1.1: strong comparison, so a weak tag never matches).
 *
 * @returns an empty set, which matches nothing, when the header names no revision of ours
 */
export function parseIfMatch(header: string | undefined): IfMatch {
  if (header === undefined || header.trim() === '*') return null;
  const tags = header.split(',').map((tag) => /^\s*"(0|[1-9]\d{0,14})"\s*$/.exec(tag)?.[1]);
  return new Set(tags.filter((tag) => tag !== undefined).map(Number));
}

export function acceptsRevision(ifMatch: IfMatch, rev: number): boolean {
  return ifMatch === null || ifMatch.has(rev);
}

const describeIfMatch = ApiHeader({
  name: 'If-Match',
  required: false,
  schema: { type: 'string' },
  example: '"3"',
  description: 'The ETag that was read; 412 and no change when the record has moved on',
});

/** The parsed `If-Match` header of the request; describes it in OpenAPI as well. */
export const IfMatchHeader = createParamDecorator(
  (_: unknown, context: ExecutionContext): IfMatch => {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    return parseIfMatch(headers['if-match']);
  },
  [
    (target, key) => {
      const handler = Object.getOwnPropertyDescriptor(target, key as string);
      if (handler) describeIfMatch(target, key as string, handler);
    },
  ],
);
