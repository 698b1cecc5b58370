import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access.decorator.js';
import type { AccessGuard } from '../access.guard.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The access rules by which the request was admitted; null before its admission. */
    admittedBy: Access | null;
  }
}

/** The access rules of a route, and the guards that check them, in the order in which they run. */
export interface RouteAccess {
  readonly access: Access;
  readonly guards: readonly AccessGuard[];
}

/**
 * Calls the global guards before the body of a request is read. Nest itself calls guards after the body was
 * read.
 */
export class Admission {
  /** @param guards in the order in which they run */
  constructor(private readonly guards: readonly AccessGuard[]) {}

  /** Selects the guards that apply to a route. It is called once for each route, before the first request. */
  routeAccessOf(access: Access): RouteAccess {
    return { access, guards: this.guards.filter((guard) => guard.applies(access)) };
  }

  /**
   * Sets `request.admittedBy` if the request may pass.
   *
   * @returns a promise only if a guard has to wait
   * @throws the error of the guard that refuses the request; a returned promise rejects with it
   */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { access, guards }: RouteAccess,
  ): void | Promise<void> {
    return checkBy(guards, request, reply, access);
  }
}

function checkBy(
  guards: readonly AccessGuard[],
  ...[request, reply, access]: Parameters<AccessGuard['check']>
): void | Promise<void> {
  for (const [index, guard] of guards.entries()) {
    const pending = guard.check(request, reply, access);
    if (pending) {
      return pending.then(() => checkBy(guards.slice(index + 1), request, reply, access));
    }
  }
  request.admittedBy = access;
}
