import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientNetwork } from './client-network.js';

/** Returns the network of the client. A function, because few of the requests that have it need it. */
export type NetworkOf = () => string;

/** Injects a NetworkOf. */
export const Network = createParamDecorator((_: unknown, context: ExecutionContext): NetworkOf => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return () => clientNetwork(request);
});
