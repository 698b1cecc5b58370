import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access.decorator.js';
import type { AccessGuard } from '../access.guard.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The access rules by which the request was admitted; null before its admission. */
    admittedBy: Access | null;
  }
}

/**
 * Calls the global guards before the body of a request is read. Nest itself calls guards after the body was
 * read.
 */
export class Admission {
  /** @param guards in the order in which they run */
  constructor(private readonly guards: readonly AccessGuard[]) {}

  /**
   * Sets `request.admittedBy` if the request may pass.
   *
   * @returns a promise only if a guard has to wait
   * @throws the error of the guard that refuses the request; a returned promise rejects with it
   */
  admit(request: FastifyRequest, reply: FastifyReply, access: Access): void | Promise<void> {
    return this.ask(0, request, reply, access);
  }

  private ask(from: number, ...asked: Parameters<AccessGuard['check']>): void | Promise<void> {
    for (let at = from; at < this.guards.length; at += 1) {
      const pending = this.guards[at]?.check(...asked);
      if (pending) return pending.then(() => this.ask(at + 1, ...asked));
    }
    const [request, , access] = asked;
    request.admittedBy = access;
  }
}
