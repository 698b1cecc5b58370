import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { BadParameterError } from '../errors/api.errors.js';

/** Deeper than any body of this API; recursion over one that passes cannot exhaust the stack. */
const MAX_DEPTH = 32;

/**
 * Accepts `application/json` and nothing else. `__proto__` and `constructor.prototype` keys are
 * malformed JSON here (400), and so is what is not UTF-8 (RFC 8259, section 8.1), which would be
 * stored as something else than was sent. An empty body counts as no body, because clients that
 * always send a content type do so on the moves as well.
 */
export function registerJsonParser(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (body.length === 0) {
        done(null, undefined);
        return;
      }
      if (!isUtf8(body)) {
        done(new BadParameterError('the body is not valid UTF-8'));
        return;
      }
      void parse(request, body.toString(), (error, value) => {
        if (error) done(error);
        else if (isTooDeep(value)) done(new BadParameterError('the JSON is nested too deeply'));
        else done(null, value);
      });
    },
  );
}

/** Iterative on purpose: the depth is the attacker's choice. */
function isTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
