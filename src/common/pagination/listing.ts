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
 * The next page as `Link` (RFC 8288), and `x-total-count`. The link holds a query alone, which keeps
 * the path that the client has used, whatever proxies make of it.
 */
export function listingHeaders({
  limit,
  end,
  total,
}: Listing<unknown>): Readonly<Record<string, string>> {
  return {
    ...(end ? { link: `<?limit=${limit}&cursor=${encodeCursor(end)}>; rel="next"` } : {}),
    ...(total === undefined ? {} : { 'x-total-count': String(total) }),
  };
}
