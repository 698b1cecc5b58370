import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { scopesIn, type KeyScope } from './key-scope.js';

/** Injects the scopes of the API key, on a route that needs one. */
export const KeyScopes = createParamDecorator(
  (_: unknown, context: ExecutionContext): readonly KeyScope[] =>
    scopesIn(context.switchToHttp().getRequest<FastifyRequest>().keyScopes),
);
