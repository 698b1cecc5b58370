import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { describedHeader } from '../http/openapi/described-header.js';
import { BadParameterError } from '../http/errors/api.errors.js';
import { creationOf, KEY_PATTERN, parseKey, type Creation } from './creation.js';

export const MALFORMED_KEY = 'Idempotency-Key must be 1 to 255 visible ASCII characters';

const DESCRIBED = describedHeader({
  name: 'Idempotency-Key',
  required: false,
  schema: { type: 'string', pattern: KEY_PATTERN },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  description:
    'A new one for each record; the same for a repetition of the request, which returns the record ' +
    'as it is now, never a second one',
});

/**
 * Injects the Creation that `Idempotency-Key` determines for the record that the request creates; null if the
 * header is missing. Also describes the header in OpenAPI.
 *
 * @throws BadParameterError for a malformed key
 */
export const RequestedCreation = createParamDecorator(
  (_: unknown, context: ExecutionContext): Creation | null => {
    const { headers, user, method, routeOptions, params, body } = context
      .switchToHttp()
      .getRequest<FastifyRequest>();
    const header = headers['idempotency-key'];
    if (header === undefined) return null;
    const key = parseKey(String(header));
    if (key === null) throw new BadParameterError(MALFORMED_KEY);
    const caller = user
      ? { user: user.userId.toHexString() }
      : { apiKey: String(headers['x-api-key']) };
    return creationOf({ route: `${method} ${routeOptions.url}`, caller, key, params, body });
  },
  [DESCRIBED],
);
