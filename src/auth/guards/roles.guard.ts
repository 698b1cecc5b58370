import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { accessOf } from '../../common/access/access.decorator.js';
import { checkRole } from './check-role.js';

/** Lets the caller through who holds the one role that the route asks for, if it asks for one. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    // Asked anew even of an admitted request: it costs nothing.
    checkRole(
      accessOf(this.reflector, context).role,
      context.switchToHttp().getRequest<FastifyRequest>().user,
    );
    return true;
  }
}
