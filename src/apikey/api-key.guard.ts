import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessTokenError } from '../auth/auth.errors.js';
import { CallerService } from '../auth/caller.service.js';
import type { Access } from '../platform/http/access/access.decorator.js';
import { AccessGuard } from '../platform/http/access/access.guard.js';
import { KEY_SCOPES, opens } from '../platform/http/access/key-scopes/key-scope.js';
import { ApiKeyScopeError } from './api-key.errors.js';
import { ApiKeyService } from './api-key.service.js';

/**
 * Verifies the API key on every route that needs one:
 *
 * 1. A valid key in the cache that has a scope of the route passes at once.
 * 2. Any other key is looked up, and has to be valid.
 * 3. A key without a scope of the route passes only if it has the scope `desk`, and the request comes from somebody
 *    who is signed in.
 */
@Injectable()
export class ApiKeyGuard extends AccessGuard {
  constructor(
    reflector: Reflector,
    private readonly apiKeys: ApiKeyService,
    private readonly callers: CallerService,
  ) {
    super(reflector);
  }

  applies({ apiKey }: Access): boolean {
    return apiKey;
  }

  /**
   * @throws MissingApiKeyError @throws InvalidApiKeyError @throws ExpiredApiKeyError @throws ApiKeyScopeError
   * @throws AccessTokenExpiredError if the scope `desk` opens the route as soon as the token is refreshed
   */
  check(request: FastifyRequest, reply: FastifyReply, access: Access): void | Promise<void> {
    const held = this.apiKeys.cachedScopes(request.headers['x-api-key']);
    if (held === null || !opens(held, access.scopes)) return this.verify(request, reply, access);
    request.keyScopes = held;
  }

  private async verify(
    request: FastifyRequest,
    reply: FastifyReply,
    { scopes }: Access,
  ): Promise<void> {
    const held = await this.apiKeys.verify(request.headers['x-api-key']);
    request.keyScopes = held;
    if (opens(held, scopes)) return;
    const isSignedIn = opens(held, KEY_SCOPES.desk.bit) && (await this.hasCaller(request, reply));
    if (!isSignedIn) throw new ApiKeyScopeError(scopes);
  }

  /** @throws AccessTokenExpiredError */
  private hasCaller(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    return this.callers.identify(request, reply, 'required').then(
      () => true,
      (error: unknown) => {
        if (error instanceof AccessTokenError) return false;
        throw error;
      },
    );
  }
}
