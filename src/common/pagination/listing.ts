import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { encodeCursor, type Cursor } from './cursor.js';

/** A page of a list, with what its headers say. */
export class Listing<View> {
  constructor(
    readonly items: View[],
    /** How many a page holds. */
    readonly limit: number,
    /** Where the page ended; null when nothing follows. */
    readonly end: Cursor | null,
    /** How many there are in all, when the request asks for it. */
    readonly total: number | undefined,
  ) {}
}

/**
 * Sends a `Listing`'s items; the next page as `Link` (RFC 8288), and `x-total-count`. The link holds
 * a query alone, which keeps the path that the client has used, whatever proxies make of it.
 */
@Injectable()
export class ListingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((value: unknown) => {
        if (!(value instanceof Listing)) return value;
        const { items, limit, end, total } = value as Listing<unknown>;
        if (end) reply.header('link', `<?limit=${limit}&cursor=${encodeCursor(end)}>; rel="next"`);
        if (total !== undefined) reply.header('x-total-count', total);
        return items;
      }),
    );
  }
}
