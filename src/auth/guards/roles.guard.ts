import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { accessOf } from '../../platform/http/access/access.decorator.js';
import { checkRole } from './check-role.js';

/** Checks that the caller has the role that the route requires, if it requires one. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    // The admission hook may have checked this already. A second check costs next to nothing.
    checkRole(
      accessOf(this.reflector, context).role,
      context.switchToHttp().getRequest<FastifyRequest>().user,
    );
    return true;
  }
}
