import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { addressPrefix } from '../../common/http/address-prefix.js';
import type { SessionOrigin } from '../session.service.js';

const MAX_USER_AGENT = 200;

/** Where a sign-in comes from, as far as it is kept: user agent and network part of the address. */
export const Origin = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionOrigin => {
    const { headers, ip } = context.switchToHttp().getRequest<FastifyRequest>();
    return {
      userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
      addressPrefix: addressPrefix(ip),
    };
  },
);
