import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Listing, listingHeaders } from '../../pagination/listing.js';
import { successEnvelope } from './envelope.js';
import { isRawResponse, responseMessageOf } from './response-message.decorator.js';

/**
 * Wraps the value that a controller returns into the envelope, always with status 200. Of a
 * `Listing`, the link to the next page and the total go into headers.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handler = context.getHandler();
    const reply = context.switchToHttp().getResponse<FastifyReply>().status(200);
    if (isRawResponse(this.reflector, handler)) return next.handle();
    const message = responseMessageOf(this.reflector, handler);
    return next.handle().pipe(
      map((data: unknown) => {
        if (!(data instanceof Listing)) return successEnvelope(message, data);
        void reply.headers(listingHeaders(data));
        return successEnvelope(message, data.items);
      }),
    );
  }
}
