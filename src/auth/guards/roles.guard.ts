import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { accessOf } from '../../common/access/access.decorator.js';
import { InsufficientRoleError } from '../auth.errors.js';

/** Lets the caller through who holds the one role that the route asks for, if it asks for one. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { role } = accessOf(this.reflector, context);
    const { user } = context.switchToHttp().getRequest<FastifyRequest>();
    if (role === null || user?.roles.includes(role)) return true;
    throw new InsufficientRoleError();
  }
}
