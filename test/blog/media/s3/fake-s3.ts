import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from '../../../support/clean-up.js';

/** What the store does instead of its work (`none`): a status, silence, or an end of the connection. */
export type Fault = number | 'none' | 'hang' | 'cut';

/** A request, as far as tests read it. */
export interface S3Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface FakeS3 {
  /** The value of MEDIA_S3_URL. */
  readonly setting: string;
  /** The objects by bucket and name. */
  readonly objects: Map<string, Buffer>;
  readonly requests: S3Request[];
  /** The faults of the next requests, in order; `always` is that of all requests after them. */
  readonly faults: Fault[];
  always: Fault | undefined;
}

export const SECRET = 'the-secret/of the bucket';

/** Starts a store with one bucket, which does as it is told. It is closed after the tests of the file. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const { method = '', url = '/', headers } = request;
    const { pathname } = new URL(url, 'http://store');
    fake.requests.push({ method, path: pathname, headers });
    const fault = fake.faults.shift() ?? fake.always;
    if (fault === undefined || fault === 'none') void work(objects, pathname, request, response);
    else if (fault === 'hang') request.resume();
    else if (fault === 'cut') cut(objects.get(pathname), request, response);
    else answer(request.resume(), response, fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const fake: FakeS3 = {
    setting: `s3://KEY:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/bucket/news?tls=off`,
    objects,
    requests: [],
    faults: [],
    always: undefined,
  };
  return fake;
}

async function work(
  objects: FakeS3['objects'],
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const found = objects.get(path);
  if (!path.startsWith('/bucket/')) answer(request, response, 404, 'NoSuchBucket');
  else if (request.method === 'PUT') {
    const body = await buffer(request).catch(() => null);
    if (body) objects.set(path, body);
    response.end();
  } else if (request.method === 'DELETE') {
    objects.delete(path);
    response.writeHead(204).end();
  } else if (found) {
    response.writeHead(200, { 'content-length': found.length }).end(found);
  } else answer(request, response, 404, 'NoSuchKey');
}

function answer(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  code = status >= 500 ? 'InternalError' : 'AccessDenied',
): void {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${SECRET}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(method === 'HEAD' ? undefined : text);
}

/** Ends the connection in the middle of a body. */
function cut(found: Buffer | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'PUT') {
    request.once('data', () => request.socket.destroy());
    return;
  }
  if (request.method !== 'GET' || !found) {
    request.socket.destroy();
    return;
  }
  response.writeHead(200, { 'content-length': found.length });
  response.write(found.subarray(0, found.length / 2), () => request.socket.destroy());
}
