import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../platform/http/access/access.decorator.js';
import { AccessGuard } from '../../platform/http/access/access.guard.js';
import { InsufficientRoleError } from '../auth.errors.js';

/** Checks that the caller has one of the roles that the route requires. */
@Injectable()
export class RolesGuard extends AccessGuard {
  applies({ roles }: Access): boolean {
    return roles.length > 0;
  }

  /** @throws InsufficientRoleError */
  check({ user }: FastifyRequest, _reply: FastifyReply, { roles }: Access): void {
    if (!roles.some((role) => user?.roles.includes(role))) throw new InsufficientRoleError();
  }
}
