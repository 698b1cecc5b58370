import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyService } from '../../apikey/api-key.service.js';
import { CallerService } from '../caller.service.js';
import { checkRole } from '../guards/check-role.js';
import type { Access } from '../../platform/http/access/access.decorator.js';

/**
 * Checks API key, token, session and role of a request before its body is read, which the guards cannot
 * do. It uses the services of the guards, in their order.
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
   * @returns undefined when the request passes at once, because its key is cached and its route needs
   * no token; else a promise, which rejects with the error of a failed check
   */
  admit(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> | undefined {
    const key = request.headers['x-api-key'];
    const hasValidKey =
      !access.apiKey || (typeof key === 'string' && this.apiKeys.isCachedAndValid(key));
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
