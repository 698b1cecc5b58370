import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api.errors.js';
import { excessOf, MAX_PARTS, type JsonExcess } from './json-size.js';

/** The only accepted media type of a body. */
export const BODY_TYPE = 'application/json';

const EXCESSES: Readonly<Record<JsonExcess, string>> = {
  depth: 'the JSON is nested too deeply',
  parts: `the JSON has more than ${MAX_PARTS.toLocaleString('en')} members and elements: send fewer`,
};

/**
 * Accepts `application/json` only. Responds 400 to `__proto__` and `constructor.prototype` keys, to
 * bytes that are not UTF-8 (RFC 8259, section 8.1) and to JSON beyond the bounds of json-size.ts. An
 * empty body counts as missing, because some clients send a content type with every POST.
 */
export function registerJsonParser(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>(BODY_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    if (!isUtf8(body)) {
      done(new ApiError('malformed_json', 'the body is not valid UTF-8'));
      return;
    }
    const excess = excessOf(body);
    if (excess) done(new ApiError('json_too_complex', EXCESSES[excess]));
    else void parse(request, body.toString(), done);
  });
}
