import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { successEnvelope } from './envelope.js';
import { isRawResponse, responseMessageOf } from './response-message.decorator.js';

/** Wraps what a controller returns into the envelope; success is always HTTP 200. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handler = context.getHandler();
    context.switchToHttp().getResponse<FastifyReply>().status(200);
    if (isRawResponse(this.reflector, handler)) return next.handle();
    const message = responseMessageOf(this.reflector, handler);
    return next.handle().pipe(map((data) => successEnvelope(message, data)));
  }
}
