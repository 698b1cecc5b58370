import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { codedTag } from '../common/http/conditional/conditional-get.js';
import type { Coding } from '../common/http/conditional/content-coding.js';

/** Names and values in turn, as `writeHead` of Node takes them. The first pair is the request's id. */
type HeaderList = string[];

/** A body in one content coding, with its headers. */
export interface Form {
  /** A Buffer lies outside of V8's heap, which grows to about twice of what it holds. */
  readonly body: Buffer;
  readonly headers: HeaderList;
}

/** A response of the pipeline, ready to be sent again. */
export interface StoredResponse {
  /** Strong ETag of the plain bytes. */
  readonly tag: string;
  readonly plain: Form;
  readonly coded: Readonly<Partial<Record<Coding, Form>>>;
  /** The headers of a 304 for the plain bytes. */
  readonly notModified: HeaderList;
  /** How often it was served from the cache. */
  uses: number;
}

/** Headers that are not the same in every form and response. */
const VARYING_HEADERS = new Set(['x-request-id', 'content-length', 'etag']);
/** A 304 has no body, and not this header. */
const BODY_HEADER = 'content-type';

/** The index of the request's id in a header list. */
const REQUEST_ID = 1;

/** Bytes. A smaller body fits one packet in either form. */
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
 * @param reply with all its headers, about to send this payload with 200
 * @returns null for a reply without an ETag
 */
export function captureResponse(reply: FastifyReply, payload: string): StoredResponse | null {
  const tag = reply.getHeader('etag');
  if (typeof tag !== 'string') return null;
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => !VARYING_HEADERS.has(name));
  const constantHeaders = headers.flatMap(([name, value]) => [name, String(value)]);
  const withoutBody = headers
    .filter(([name]) => name !== BODY_HEADER)
    .flatMap(([name, value]) => [name, String(value)]);
  return {
    tag,
    plain: formOf(bytesOf(payload), tag, constantHeaders),
    coded: {},
    notModified: ['x-request-id', '', ...withoutBody, 'etag', tag],
    uses: 0,
  };
}

/** `Buffer.from` would take a small text out of Node's shared pool, and keep all of that in use. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.alloc(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Sets the request's id in the headers of a form or a 304, in place: the list is written at once, and
 * a copy would cost every hit.
 */
export function withRequestId(headers: HeaderList, requestId: string): HeaderList {
  headers[REQUEST_ID] = requestId;
  return headers;
}

/** The headers of a 304. @param known the ETag that the client has, of the plain or a coded form */
export function notModifiedHeaders(
  { notModified, tag }: StoredResponse,
  known: string,
): HeaderList {
  return known === tag ? notModified : [...notModified.slice(0, -1), known];
}

export function isWorthCompressing({ plain }: StoredResponse): boolean {
  return plain.body.length >= MIN_COMPRESSED;
}

/** @returns the same with one more form; that is the plain one when the coded one is not smaller */
export async function compressed(
  response: StoredResponse,
  coding: Coding,
): Promise<StoredResponse> {
  const { plain, tag, coded } = response;
  const body = await COMPRESS[coding](plain.body);
  const constantHeaders = withoutOwn(plain.headers);
  const form =
    body.length < plain.body.length
      ? formOf(body, codedTag(tag, coding), [...constantHeaders, 'content-encoding', coding])
      : plain;
  return { ...response, coded: { ...coded, [coding]: form } };
}

/** Bytes in memory: the bodies, the key, and about half a kilobyte of headers and bookkeeping. */
export function sizeOf({ plain, coded }: StoredResponse, key: string): number {
  const bodies = [plain, ...Object.values(coded)].map(({ body }) => body.length);
  return bodies.reduce((sum, length) => sum + length, 512 + key.length);
}

/** The first pair is the request's id, the last two pairs are the form's length and ETag. */
function formOf(body: Buffer, tag: string, constantHeaders: readonly string[]): Form {
  const own = ['content-length', String(body.length), 'etag', tag];
  return { body, headers: ['x-request-id', '', ...constantHeaders, ...own] };
}

function withoutOwn(headers: HeaderList): HeaderList {
  return headers.slice(2, -4);
}
