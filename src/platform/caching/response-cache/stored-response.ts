import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { codedTag } from '../../http/conditional/conditional-get.js';
import type { Coding } from '../../http/conditional/content-coding.js';

/**
 * Header names and values alternate, as Node's `writeHead` takes them. The first pair is the header with the
 * request's id; each response sets this id again.
 */
type HeaderList = string[];

/** A body in one content coding, with its headers. */
interface Form {
  /** A Buffer, because the same text as a string in V8's heap would need twice the memory. */
  readonly body: Buffer;
  /** The request's id, the headers that all forms share, `content-length` and `etag`. */
  readonly headers: HeaderList;
}

/** A response that the pipeline has sent, ready to be sent again. */
export interface StoredResponse {
  /** Strong ETag of the plain bytes. */
  readonly tag: string;
  readonly plain: Form;
  /** The compressed forms, by content coding; the plain form if compression does not make the body smaller. */
  readonly coded: Readonly<Partial<Record<Coding, Form>>>;
  /** The headers of a 304 for the plain bytes; the last pair is the ETag. */
  readonly notModified: HeaderList;
  /** Number of times that the response was served from the cache. */
  uses: number;
}

/** Headers that differ between the forms of a response, or between two requests. */
const VARYING_HEADERS = new Set(['x-request-id', 'content-length', 'etag']);

/** The index of the request's id in a header list. */
const REQUEST_ID_INDEX = 1;

/** Size of the smallest body that is compressed, in bytes. A smaller body fits into one TCP packet anyway. */
const MIN_COMPRESSED = 860;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const COMPRESS: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => compressGzip(body),
};

/**
 * Makes the stored form of a response.
 *
 * @param reply the reply with all its headers; it is about to send this payload with status 200
 * @returns null for a reply without an ETag
 */
export function captureResponse(reply: FastifyReply, payload: string): StoredResponse | null {
  const { etag: tag, ...headers } = reply.getHeaders();
  if (typeof tag !== 'string') return null;
  const shared = Object.entries(headers)
    .filter(([name]) => !VARYING_HEADERS.has(name))
    .map(([name, value]) => [name, String(value)]);
  // A 304 has no body, so it has no `content-type` either.
  const withoutType = shared.filter(([name]) => name !== 'content-type');
  return {
    tag,
    // `Buffer.from` would put a small text into a pool that Node shares, and so keep the whole pool in memory.
    plain: formOf(Buffer.alloc(Buffer.byteLength(payload), payload), tag, shared.flat()),
    coded: {},
    notModified: ['x-request-id', '', ...withoutType.flat(), 'etag', tag],
    uses: 0,
  };
}

/**
 * Sets the request's id in a header list, and returns this list. A copy would cost time with each hit, and is
 * not needed, because `writeHead` reads the list before another request can change it.
 */
export function withRequestId(headers: HeaderList, requestId: string): HeaderList {
  headers[REQUEST_ID_INDEX] = requestId;
  return headers;
}

/**
 * @param clientTag the ETag that the client has: that of the plain form or of a coded form
 * @returns the headers of a 304
 */
export function notModifiedHeaders(
  { notModified, tag }: StoredResponse,
  clientTag: string,
): HeaderList {
  return clientTag === tag ? notModified : [...notModified.slice(0, -1), clientTag];
}

export function isWorthCompressing({ plain }: StoredResponse): boolean {
  return plain.body.length >= MIN_COMPRESSED;
}

/**
 * @returns the response with a form for this coding: the compressed body, or the plain form if compression does
 *   not make the body smaller
 */
export async function withCompressedForm(
  response: StoredResponse,
  coding: Coding,
): Promise<StoredResponse> {
  const { plain, tag, coded } = response;
  const body = await COMPRESS[coding](plain.body);
  // The shared headers stand between the pair of the request's id at the start and the pairs of the length and
  // the ETag at the end.
  const shared = plain.headers.slice(2, -4);
  const form =
    body.length < plain.body.length
      ? formOf(body, codedTag(tag, coding), [...shared, 'content-encoding', coding])
      : plain;
  return { ...response, coded: { ...coded, [coding]: form } };
}

/** @returns the bytes in memory: the bodies, the key, and about half a kilobyte for headers and bookkeeping */
export function sizeOf({ plain, coded }: StoredResponse, key: string): number {
  const bodies = [plain, ...Object.values(coded)].map(({ body }) => body.length);
  return bodies.reduce((sum, length) => sum + length, 512 + key.length);
}

function formOf(body: Buffer, tag: string, shared: readonly string[]): Form {
  const own = ['content-length', String(body.length), 'etag', tag];
  return { body, headers: ['x-request-id', '', ...shared, ...own] };
}
