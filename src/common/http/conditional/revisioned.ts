import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { revisionTag } from './if-match.js';

/** A view, with the revision of the record that it shows. */
export class Revisioned<View> {
  constructor(
    readonly view: View,
    readonly rev: number,
  ) {}
}

/** Sends the view of a `Revisioned` value, and its revision as the `ETag`. */
@Injectable()
export class RevisionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((value: unknown) => {
        if (!(value instanceof Revisioned)) return value;
        reply.header('etag', revisionTag(value.rev));
        return value.view as unknown;
      }),
    );
  }
}
