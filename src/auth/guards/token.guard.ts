import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../platform/http/access/access.decorator.js';
import { AccessGuard } from '../../platform/http/access/access.guard.js';
import { AccountPolicy } from './account-policy.service.js';
import { CallerService } from '../caller.service.js';

/** Authenticates the caller on every route that needs a token, and sets `request.user`. */
@Injectable()
export class TokenGuard extends AccessGuard {
  constructor(
    reflector: Reflector,
    private readonly callers: CallerService,
    private readonly policy: AccountPolicy,
  ) {
    super(reflector);
  }

  applies({ token }: Access): boolean {
    return token !== 'none';
  }

  /**
   * @throws AccessTokenError @throws AccessTokenExpiredError @throws SessionNeededError
   * @throws FactorNeededError @throws EmailUnverifiedError
   */
  check(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, isForIncomplete }: Access,
  ): void | Promise<void> {
    return this.callers.identify(request, reply, token).then((caller) => {
      if (!isForIncomplete) this.policy.check(caller, request.method);
      request.user = caller;
    });
  }
}
