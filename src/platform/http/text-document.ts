import type { Readable } from 'node:stream';

/**
 * A document that a handler returns to be sent as it is, without an envelope, such as a feed.
 *
 * @typeParam Data what the route's cache rules need to know of the document; it is not sent
 */
export class TextDocument<Data = unknown> {
  constructor(
    /** The media type, with the charset. */
    readonly type: string,
    /** The body. A stream is sent as it is read, gets no ETag, and is kept by no cache. */
    readonly body: string | Readable,
    readonly data: Data,
  ) {}
}
