import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { expect } from '@jest/globals';
import { REASONS, type Reason } from '../../../src/platform/http/errors/reasons.js';

/** A response to a request that `fetch` would refuse to send or would normalise. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

/** Sends method, path and headers exactly as given, without adding a content type. */
export function send(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: hostname,
        port,
        path,
        method,
        headers: { ...length, ...headers } as Record<string, string>,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Options for a JSON body. */
export function json(body: string | Uint8Array, headers: RawRequest['headers'] = {}): RawRequest {
  return { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
}

/**
 * Writes bytes to a socket and reads until the server closes it.
 *
 * @param afterwards written after the first bytes of the response
 */
export function sendBytes(
  url: string,
  bytes: string | Uint8Array,
  afterwards?: string,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    if (afterwards !== undefined) socket.once('data', () => socket.write(afterwards));
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString())));
  });
}

function parse(response: string): RawAnswer {
  const end = response.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = response.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: response.slice(end + 4),
  };
}

/**
 * Checks what all errors have in common: status, envelope and headers.
 *
 * @param code of the envelope
 * @returns the message
 */
export function expectRefusal(
  { status, headers, text }: RawAnswer,
  expected: number,
  code = '10001',
): string {
  expect(`${status} ${text}`).toMatch(new RegExp(`^${expected} \\{`));
  const body = JSON.parse(text) as Record<string, unknown>;
  const fields = expected === 422 ? ['errors'] : [];
  expect(Object.keys(body)).toEqual(['code', 'status', 'message', 'reason', ...fields]);
  expect(body).toMatchObject({ code, status: expected });
  expect(REASONS[body['reason'] as Reason]?.status).toBe(expected);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expectCommonHeaders(headers);
  return String(body['message']);
}

/** The headers of every response that is not a public read. */
export function expectCommonHeaders(headers: IncomingHttpHeaders): void {
  expect(headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'ETag, Link, x-total-count, x-request-id, Retry-After, instruction',
  });
}
