import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { clientPrefixFrom } from '../../platform/http/client-address/client-prefix.js';
import { TooManyPasswordsError } from '../auth.errors.js';
import { PasswordBulkhead } from './password-bulkhead.js';

/**
 * Surrounds every route that hashes a password. It:
 * 1. waits for a slot of the bulkhead, before validation, rate limits and queries, so that a
 *    rejected request costs next to nothing;
 * 2. drops the request if its client has disconnected meanwhile;
 * 3. frees the slot when the handler ends. A disconnect does not free it, because hashing continues.
 *
 * Interceptors run after the guards and after the body was read. So a request without an API key
 * takes no place in the queue, and a client that sends slowly holds no slot.
 */
@Injectable()
export class PasswordBulkheadInterceptor implements NestInterceptor {
  constructor(private readonly bulkhead: PasswordBulkhead) {}

  /** @throws TooManyPasswordsError */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const release = await this.bulkhead.acquire(clientPrefixFrom(request));
    if (!request.raw.socket.destroyed) return next.handle().pipe(finalize(release));
    release();
    throw new TooManyPasswordsError();
  }
}
