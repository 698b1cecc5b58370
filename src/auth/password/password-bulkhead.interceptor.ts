import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { TooManyPasswordsError } from '../auth.errors.js';
import { PasswordBulkhead } from './password-bulkhead.js';

/**
 * For every route that hashes a password:
 * 1. waits for the turn of the request, before its body is looked at and before anything is counted
 *    or asked of the database, so that whoever finds no room has cost next to nothing;
 * 2. drops it if its client has gone meanwhile;
 * 3. gives the place back when the handler is done, and not when its client goes: the password is
 *    being hashed all the same.
 *
 * It runs after the guards, so that nobody waits here without a key, and after the body has arrived,
 * so that nobody holds a place by sending slowly.
 */
@Injectable()
export class PasswordBulkheadInterceptor implements NestInterceptor {
  constructor(private readonly room: PasswordBulkhead) {}

  /** @throws TooManyPasswordsError */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const leave = await this.room.enter();
    const { socket } = context.switchToHttp().getRequest<FastifyRequest>().raw;
    if (!socket.destroyed) return next.handle().pipe(finalize(leave));
    leave();
    throw new TooManyPasswordsError();
  }
}
