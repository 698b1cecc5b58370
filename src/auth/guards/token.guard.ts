import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessOf } from '../../platform/http/access/access.decorator.js';
import { CallerService } from '../caller.service.js';

/**
 * Authenticates the caller on every route that needs a token. Skips a request that the admission hook
 * (src/auth/admission) has already checked against the rules of the same route.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: CallerService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (access.token === 'none' || request.admittedBy === access) return true;
    request.user = await this.callers.identify(
      request,
      http.getResponse<FastifyReply>(),
      access.token,
    );
    return true;
  }
}
