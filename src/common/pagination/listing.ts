import { encodeCursor, type Cursor } from './cursor.js';

/** A page of a list, with the data for its headers. */
export class Listing<View> {
  constructor(
    readonly items: View[],
    /** Page size. */
    readonly limit: number,
    /** Cursor of the last item; null when no page follows. */
    readonly end: Cursor | null,
    /** Number of items on all pages; undefined unless the request asks for it. */
    readonly total: number | undefined,
  ) {}
}

/**
 * `Link` to the next page (RFC 8288), and `x-total-count`. The link is a query only, relative to the
 * URL that the client used, because a proxy may have changed the path.
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
