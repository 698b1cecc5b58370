import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { accessOf } from '../platform/http/access/access.decorator.js';
import { ApiKeyService } from './api-key.service.js';

/**
 * Verifies the API key on every route that needs one. Skips a request that the admission hook
 * (src/auth/admission) has already checked against the rules of the same route.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeyService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    const { admittedBy, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!access.apiKey || admittedBy === access) return true;
    await this.apiKeys.verify(headers['x-api-key']);
    return true;
  }
}
