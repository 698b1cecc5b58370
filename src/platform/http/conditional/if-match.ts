import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { describedHeader } from '../openapi/described-header.js';

/** The revision numbers in `If-Match`. Null accepts every revision: the header is missing or `*`. */
export type IfMatch = ReadonlySet<number> | null;

/**
 * Parses `If-Match` (RFC 9110, section 13.1.1). The comparison is strong: a weak tag never matches.
 *
 * @returns an empty set, which matches nothing, when the header contains no tag of a revision
 *   number
 */
export function parseIfMatch(header: string | undefined): IfMatch {
  if (header === undefined || header.trim() === '*') return null;
  const tags = header.split(',').map((tag) => /^\s*"(0|[1-9]\d{0,14})"\s*$/.exec(tag)?.[1]);
  return new Set(tags.filter((tag) => tag !== undefined).map(Number));
}

export function acceptsRevision(ifMatch: IfMatch, rev: number): boolean {
  return ifMatch === null || ifMatch.has(rev);
}

/** Describes the header `If-Match` in OpenAPI. */
const describeHeader = (required: boolean): ParameterDecorator =>
  describedHeader({
    name: 'If-Match',
    required,
    schema: { type: 'string' },
    example: '"3"',
    description: 'The ETag that was read; 412 and no change if the record has a newer one',
  });

const headerOf = (context: ExecutionContext): string | undefined =>
  context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];

/** Injects the parsed `If-Match` header of the request, and describes it in OpenAPI. */
export const IfMatchHeader = createParamDecorator(
  (_: unknown, context: ExecutionContext): IfMatch => parseIfMatch(headerOf(context)),
  [describeHeader(false)],
);

/**
 * Injects the `If-Match` header for a route that needs it; undefined if the header is missing (see
 * RevisionRequiredError).
 */
export const RequiredIfMatchHeader = createParamDecorator(
  (_: unknown, context: ExecutionContext): IfMatch | undefined => {
    const header = headerOf(context);
    return header === undefined ? undefined : parseIfMatch(header);
  },
  [describeHeader(true)],
);
