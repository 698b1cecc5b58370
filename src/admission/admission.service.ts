import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyService } from '../apikey/api-key.service.js';
import { CallerService } from '../auth/caller.service.js';
import { checkRole } from '../auth/guards/check-role.js';
import type { Access } from '../common/access/access.decorator.js';

/**
 * Decides whether a request is let in, in the order of the guards and by the services that they ask:
 * key, token, session, role. Guards run after a body was read; this needs nothing but headers.
 */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly callers: CallerService,
  ) {}

  /**
   * Notes on the request who is calling, and by which rules it was admitted.
   *
   * @returns nothing when the request was admitted at once: its key is in memory, and it needs no token
   * @throws what the services throw, as a rejection
   */
  admit(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> | undefined {
    const key = request.headers['x-api-key'];
    const isKnown = !access.apiKey || (typeof key === 'string' && this.apiKeys.isKnown(key));
    if (!isKnown || access.token !== 'none') return this.ask(request, reply, access);
    request.admittedBy = access;
    return undefined;
  }

  private async ask(request: FastifyRequest, reply: FastifyReply, access: Access): Promise<void> {
    if (access.apiKey) await this.apiKeys.verify(request.headers['x-api-key']);
    if (access.token !== 'none') {
      request.user = await this.callers.identify(request, reply, access.token);
      checkRole(access.role, request.user);
    }
    request.admittedBy = access;
  }
}
