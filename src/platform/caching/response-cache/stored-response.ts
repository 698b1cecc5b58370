import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { codedTag } from '../../http/conditional/conditional-get.js';
import type { Coding } from '../../http/conditional/content-coding.js';

/**
 * Names and values in turn, as Node's `writeHead` takes them. The first pair is the request's id, which
 * is set anew for each response.
 */
type HeaderList = string[];

/** A body in one content coding, with its headers. */
interface Form {
  /** A Buffer, because its bytes are outside of V8's heap, which needs twice the memory. */
  readonly body: Buffer;
  /** The request's id, the headers that all forms share, `content-length` and `etag`. */
  readonly headers: HeaderList;
}

/** A response of the pipeline, ready to be sent again. */
export interface StoredResponse {
  /** Strong ETag of the plain bytes. */
  readonly tag: string;
  readonly plain: Form;
  readonly coded: Readonly<Partial<Record<Coding, Form>>>;
  /** The headers of a 304 for the plain bytes; the last pair is the ETag. */
  readonly notModified: HeaderList;
  /** Number of times that the response was served from the cache. */
  uses: number;
}

/** Headers that differ between the forms of a response, or between two requests. */
const VARYING_HEADERS = new Set(['x-request-id', 'content-length', 'etag']);

/** The position of the request's id in a header list. */
const REQUEST_ID = 1;

/** Smallest body that is compressed, in bytes. A smaller one fits into one TCP packet anyway. */
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
 * @param reply with all its headers, about to send this payload with status 200
 * @returns null for a reply without an ETag
 */
export function captureResponse(reply: FastifyReply, payload: string): StoredResponse | null {
  const { etag: tag, ...headers } = reply.getHeaders();
  if (typeof tag !== 'string') return null;
  const shared = Object.entries(headers)
    .filter(([name]) => !VARYING_HEADERS.has(name))
    .map(([name, value]) => [name, String(value)]);
  // A 304 has no body, so it has no type either.
  const withoutType = shared.filter(([name]) => name !== 'content-type');
  return {
    tag,
    // `Buffer.from` would put a small text into Node's shared pool and keep the whole pool in memory.
    plain: formOf(Buffer.alloc(Buffer.byteLength(payload), payload), tag, shared.flat()),
    coded: {},
    notModified: ['x-request-id', '', ...withoutType.flat(), 'etag', tag],
    uses: 0,
  };
}

/**
 * Sets the request's id in a header list, and returns that list. It makes no copy, which would cost time
 * with each hit; `writeHead` reads the list before another request can change it.
 */
export function withRequestId(headers: HeaderList, requestId: string): HeaderList {
  headers[REQUEST_ID] = requestId;
  return headers;
}

/**
 * @param known the ETag that the client has, of the plain or a coded form
 * @returns headers of a 304
 */
export function notModifiedHeaders(
  { notModified, tag }: StoredResponse,
  known: string,
): HeaderList {
  return known === tag ? notModified : [...notModified.slice(0, -1), known];
}

export function isWorthCompressing({ plain }: StoredResponse): boolean {
  return plain.body.length >= MIN_COMPRESSED;
}

/** @returns the response with a form in the coding; the plain form, if the coded one is not smaller */
export async function compressed(
  response: StoredResponse,
  coding: Coding,
): Promise<StoredResponse> {
  const { plain, tag, coded } = response;
  const body = await COMPRESS[coding](plain.body);
  // The shared headers: all but the request's id at the start, and the length and the ETag at the
  // end.
  const shared = plain.headers.slice(2, -4);
  const form =
    body.length < plain.body.length
      ? formOf(body, codedTag(tag, coding), [...shared, 'content-encoding', coding])
      : plain;
  return { ...response, coded: { ...coded, [coding]: form } };
}

/** @returns bytes in memory: bodies, key, and about half a kilobyte for headers and bookkeeping */
export function sizeOf({ plain, coded }: StoredResponse, key: string): number {
  const bodies = [plain, ...Object.values(coded)].map(({ body }) => body.length);
  return bodies.reduce((sum, length) => sum + length, 512 + key.length);
}

function formOf(body: Buffer, tag: string, shared: readonly string[]): Form {
  const own = ['content-length', String(body.length), 'etag', tag];
  return { body, headers: ['x-request-id', '', ...shared, ...own] };
}
