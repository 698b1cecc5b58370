import { encodeCursor, type Cursor } from './cursor.js';

/** A page of a list, with the data for its headers. */
export class Listing<View> {
  constructor(
    readonly items: View[],
    /** Page size. */
    readonly limit: number,
    /** Cursor of the last item, or its encoded form; null when no page follows. */
    readonly end: Cursor | string | null,
    /** Number of items on all pages; undefined unless the request asks for it. */
    readonly total: number | undefined,
    /** The parameters of the request's query that the link to the next page repeats. */
    readonly query: Readonly<Record<string, string>> = {},
  ) {}
}

/**
 * `Link` to the next page (RFC 8288), and `x-total-count`. The link has a query but no path, so it is
 * relative to the URL that the client used, whose path a proxy may have changed.
 */
export function listingHeaders({
  limit,
  end,
  total,
  query,
}: Listing<unknown>): Readonly<Record<string, string>> {
  // URLSearchParams encodes every character that would end the link.
  const repeated = Object.keys(query).length > 0 ? `${new URLSearchParams(query).toString()}&` : '';
  return {
    ...(end ? { link: `<?${repeated}limit=${limit}&cursor=${cursorText(end)}>; rel="next"` } : {}),
    ...(total === undefined ? {} : { 'x-total-count': String(total) }),
  };
}

function cursorText(end: Cursor | string): string {
  return typeof end === 'string' ? end : encodeCursor(end);
}
