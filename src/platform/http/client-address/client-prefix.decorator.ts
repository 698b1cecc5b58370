import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientPrefixFrom } from './client-prefix.js';

/** Returns the client prefix of the request. This is a function, because few requests need the result. */
export type ClientPrefixOf = () => string;

/** Injects a ClientPrefixOf. */
export const ClientPrefix = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClientPrefixOf => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return () => clientPrefixFrom(request);
  },
);
