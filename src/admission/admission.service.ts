import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyService } from '../apikey/api-key.service.js';
import { CallerService } from '../auth/caller.service.js';
import { checkRole } from '../auth/guards/check-role.js';
import type { Access } from '../common/access/access.decorator.js';

/**
 * Checks API key, token, session and role of a request from its headers alone, with the services and
 * in the order of the guards. The guards run only after the body was read.
 */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly callers: CallerService,
  ) {}

  /**
   * Sets `request.user` and `request.admittedBy` if the request may pass.
   *
   * @returns undefined when it may pass at once, because its key is cached and it needs no token; else
   * a promise that rejects with the error of the failed check
   */
  admit(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> | undefined {
    const key = request.headers['x-api-key'];
    const hasValidKey = !access.apiKey || (typeof key === 'string' && this.apiKeys.isKnown(key));
    if (!hasValidKey || access.token !== 'none') return this.check(request, reply, access);
    request.admittedBy = access;
    return undefined;
  }

  private async check(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> {
    if (access.apiKey) await this.apiKeys.verify(request.headers['x-api-key']);
    if (access.token !== 'none') {
      request.user = await this.callers.identify(request, reply, access.token);
      checkRole(access.role, request.user);
    }
    request.admittedBy = access;
  }
}
