import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessOf, type Access } from './access.decorator.js';

/**
 * A global guard that checks one of the access rules of a route. Each subclass implements its rule in
 * `check`, which Admission calls before the body of a request is read. Nest calls `canActivate` later, which
 * checks the request only if Admission has not admitted it by the same rules.
 */
@Injectable()
export abstract class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @returns whether requests to a route with these access rules have to be checked by this guard */
  abstract applies(access: Access): boolean;

  /**
   * @returns a promise only if the check has to wait, which most requests need not
   * @throws the error that refuses the request; a returned promise rejects with it
   */
  abstract check(
    request: FastifyRequest,
    reply: FastifyReply,
    access: Access,
  ): void | Promise<void>;

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const access = accessOf(this.reflector, context);
    if (request.admittedBy === access || !this.applies(access)) return true;
    const pending = this.check(request, http.getResponse<FastifyReply>(), access);
    return pending ? pending.then(() => true) : true;
  }
}
