import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { accessOf } from '../../common/access/access.decorator.js';
import { ApiKeyService } from '../api-key.service.js';

/** Asks the key's service on every route of the API; the operators' routes need none. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeyService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!accessOf(this.reflector, context).apiKey) return true;
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    await this.apiKeys.verify(headers['x-api-key']);
    return true;
  }
}
