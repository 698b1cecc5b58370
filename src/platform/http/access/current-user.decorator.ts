import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Types } from 'mongoose';
import type { RoleCode } from './role-code.js';

/**
 * The user whose access token a request carries. The roles are read from the user's record; a personal access token
 * grants only some of them.
 */
export interface Caller {
  readonly userId: Types.ObjectId;
  /** The session of the access token; null for a personal access token. */
  readonly sessionId: Types.ObjectId | null;
  readonly roles: readonly RoleCode[];
  /** What the session has proved besides the password, if anything. */
  readonly factor?: string;
  /** Whether the account has not confirmed its address, and EMAIL_VERIFICATION demands it. */
  readonly isUnverified: boolean;
  /** When the session was opened by a passkey or a provider, which for a while confirms what else the password would. */
  readonly confirmedAt?: Date;
  /** IP prefix of the client: /24 of IPv4, /56 of IPv6. */
  readonly clientPrefix: string;
}

/** A caller who is signed in. */
export interface SessionCaller extends Caller {
  readonly sessionId: Types.ObjectId;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. It is set on every route that needs a token, once the token was checked. */
    user?: Caller;
  }
}

/**
 * Injects the caller.
 *
 * @throws Error on a route that needs no token, where there is no caller
 */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context),
);

/**
 * Injects the caller of a route that refuses personal access tokens.
 *
 * @throws Error on a route that does not
 */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): SessionCaller => {
    const { sessionId, ...caller } = callerOf(context);
    if (sessionId === null) throw new Error('CurrentSession on a route that needs no session');
    return { ...caller, sessionId };
  },
);

function callerOf(context: ExecutionContext): Caller {
  const { user } = context.switchToHttp().getRequest<FastifyRequest>();
  if (user === undefined) throw new Error('CurrentUser on a route that needs no token');
  return user;
}
