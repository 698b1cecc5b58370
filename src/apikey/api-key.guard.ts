import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { accessOf } from '../common/access/access.decorator.js';
import { ApiKeyService } from './api-key.service.js';

/**
 * Asks the key's service on every route of the API, unless the request was admitted under the very
 * rules of this route, which includes that. The operators' routes need no key.
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
