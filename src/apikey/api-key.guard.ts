import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Access } from '../platform/http/access/access.decorator.js';
import { AccessGuard } from '../platform/http/access/access.guard.js';
import { ApiKeyService } from './api-key.service.js';

/** Verifies the API key on every route that needs one. A valid key in the cache passes at once. */
@Injectable()
export class ApiKeyGuard extends AccessGuard {
  constructor(
    reflector: Reflector,
    private readonly apiKeys: ApiKeyService,
  ) {
    super(reflector);
  }

  applies({ apiKey }: Access): boolean {
    return apiKey;
  }

  /** @throws MissingApiKeyError @throws InvalidApiKeyError */
  check({ headers }: FastifyRequest): void | Promise<void> {
    const key = headers['x-api-key'];
    return this.apiKeys.isCachedAndValid(key) ? undefined : this.apiKeys.verify(key);
  }
}
