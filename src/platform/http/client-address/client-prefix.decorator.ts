import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientPrefixFrom } from './client-prefix.js';

/** Returns the client prefix of the client. A function, because few of the requests that have it need it. */
export type ClientPrefixOf = () => string;

/** Injects a NetworkOf. */
export const ClientPrefix = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClientPrefixOf => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return () => clientPrefixFrom(request);
  },
);
