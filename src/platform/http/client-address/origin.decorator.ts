import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientPrefixFrom } from './client-prefix.js';

const MAX_USER_AGENT = 200;

export interface RequestOrigin {
  readonly userAgent: string;
  readonly addressPrefix: string;
}

/**
 * Injects the user agent (200 characters at most) and the client prefix of a request. Sessions store both.
 */
export const Origin = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestOrigin => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return {
      userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
      addressPrefix: clientPrefixFrom(request),
    };
  },
);
