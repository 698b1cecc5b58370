import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../platform/http/access/access.decorator.js';
import { AccessGuard } from '../../platform/http/access/access.guard.js';
import { InsufficientRoleError } from '../auth.errors.js';

/** Checks that the caller has the role that the route requires. */
@Injectable()
export class RolesGuard extends AccessGuard {
  applies({ role }: Access): boolean {
    return role !== null;
  }

  /** @throws InsufficientRoleError */
  check({ user }: FastifyRequest, _reply: FastifyReply, { role }: Access): void {
    if (role !== null && !user?.roles.includes(role)) throw new InsufficientRoleError();
  }
}
