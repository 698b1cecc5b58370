import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Types } from 'mongoose';
import type { RoleCode } from './role-code.js';

/** Who is calling, as the token guard found it in the session and the user record. */
export interface Caller {
  readonly userId: Types.ObjectId;
  readonly sessionId: Types.ObjectId;
  readonly roles: readonly RoleCode[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the token guard on every route that needs a token. */
    user?: Caller;
  }
}

/** Only on routes that need a token: the token guard has set it there. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { user } = context.switchToHttp().getRequest<FastifyRequest>();
  if (user === undefined) throw new Error('CurrentUser on a route that needs no token');
  return user;
});
