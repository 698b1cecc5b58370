import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access.decorator.js';
import type { AccessGuard } from '../access.guard.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The access rules by which the request was admitted; null if it was not. */
    admittedBy: Access | null;
  }
}

/** Asks the global guards about a request before its body is read, which Nest does too late for that. */
export class Admission {
  /** @param guards in the order in which they run */
  constructor(private readonly guards: readonly AccessGuard[]) {}

  /**
   * Sets `request.admittedBy` if the request may pass.
   *
   * @returns a promise only if a guard has to wait
   * @throws the error of the guard that refuses the request, or rejects with it
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
