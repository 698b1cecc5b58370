import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { codedTag } from '../common/http/conditional/conditional-get.js';
import type { Coding } from '../common/http/conditional/content-coding.js';

/** Names and values in turn, as Node takes them; the value of the first is the request's id. */
type HeaderList = string[];

/** An answer's body in one content coding, with everything that goes before it on the wire. */
export interface Form {
  /** Outside of V8's heap, which grows to twice of what is kept in it. */
  readonly body: Buffer;
  readonly headers: HeaderList;
}

/** What the pipeline sent, ready to be sent again. */
export interface Answer {
  /** Strong ETag of the plain bytes. */
  readonly tag: string;
  readonly plain: Form;
  readonly coded: Readonly<Partial<Record<Coding, Form>>>;
  /** The headers of a 304 for the plain bytes. */
  readonly notModified: HeaderList;
  /** How often it was sent again. */
  uses: number;
}

/** Set anew with every answer. */
const PER_ANSWER = new Set(['x-request-id', 'content-length', 'etag']);
/** Of a body, which a 304 has not. */
const OF_A_BODY = 'content-type';

/** Where a header list has the request's id. */
const REQUEST_ID = 1;

/** Smaller ones gain nothing. */
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

/** @param reply with all its headers, about to send this payload with 200 */
export function captureResponse(reply: FastifyReply, payload: string): Answer | null {
  const tag = reply.getHeader('etag');
  if (typeof tag !== 'string') return null;
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => !PER_ANSWER.has(name));
  const constantHeaders = headers.flatMap(([name, value]) => [name, String(value)]);
  const ofNoBody = headers
    .filter(([name]) => name !== OF_A_BODY)
    .flatMap(([name, value]) => [name, String(value)]);
  return {
    tag,
    plain: formOf(bytesOf(payload), tag, constantHeaders),
    coded: {},
    notModified: ['x-request-id', '', ...ofNoBody, 'etag', tag],
    uses: 0,
  };
}

/** In memory of their own: a small `Buffer.from` is a part of a larger piece, and keeps all of it. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.alloc(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** The headers of a form or a 304, for one request. The list is used at once and belongs to nobody. */
export function withRequestId(headers: HeaderList, requestId: string): HeaderList {
  headers[REQUEST_ID] = requestId;
  return headers;
}

/** Headers of a 304 that says that the client has the bytes of this tag. */
export function notModifiedHeaders({ notModified, tag }: Answer, known: string): HeaderList {
  return known === tag ? notModified : [...notModified.slice(0, -1), known];
}

export function isWorthCompressing({ plain }: Answer): boolean {
  return plain.body.length >= MIN_COMPRESSED;
}

/** @returns the same answer with one more form; as it is when that would not be smaller */
export async function compressed(answer: Answer, coding: Coding): Promise<Answer> {
  const { plain, tag, coded } = answer;
  const body = await COMPRESS[coding](plain.body);
  const constantHeaders = withoutOwn(plain.headers);
  const form =
    body.length < plain.body.length
      ? formOf(body, codedTag(tag, coding), [...constantHeaders, 'content-encoding', coding])
      : plain;
  return { ...answer, coded: { ...coded, [coding]: form } };
}

/** Bytes in memory: bodies, and about half a kilobyte of headers and bookkeeping. */
export function sizeOf({ plain, coded }: Answer, key: string): number {
  const bodies = [plain, ...Object.values(coded)].map(({ body }) => body.length);
  return bodies.reduce((sum, length) => sum + length, 512 + key.length);
}

/** The first pair is the request's id, the last two pairs are the form's own length and tag. */
function formOf(body: Buffer, tag: string, constantHeaders: readonly string[]): Form {
  const own = ['content-length', String(body.length), 'etag', tag];
  return { body, headers: ['x-request-id', '', ...constantHeaders, ...own] };
}

function withoutOwn(headers: HeaderList): HeaderList {
  return headers.slice(2, -4);
}
