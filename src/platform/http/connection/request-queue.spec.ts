import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/time/wait.js';
import { MAX_QUEUED, QueuedResponse, RequestQueue, STARTS_PER_TURN } from './request-queue.js';

/** Open requests that one connection may have: one runs, the others are queued. */
const MAX_OPEN = 1 + MAX_QUEUED;

/** Sixty such responses exceed the socket buffers of a connection whose client does not read. */
const RESPONSE = Buffer.alloc(400 * 1_024, 'a');

describe('RequestQueue', () => {
  let server: Server;
  let started: ServerResponse[] = [];
  let overflows = 0;
  const clients: Client[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** @param respond handles a request; the default leaves it open */
  async function listen(
    respond: (request: IncomingMessage, response: ServerResponse) => void = () => undefined,
  ): Promise<void> {
    started = [];
    overflows = 0;
    const queue = new RequestQueue(
      (request, response) => {
        started.push(response);
        respond(request, response);
      },
      { onOverflow: () => (overflows += 1) },
    );
    server = createServer({ ServerResponse: QueuedResponse }, queue.accept).listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  /** @returns a client that has sent requests for /0, /1 … at once */
  function ask(count: number): Client {
    const client = new Client((server.address() as AddressInfo).port);
    clients.push(client);
    client.send(count);
    return client;
  }

  /** Waits until a request of another connection has started: by then, all earlier requests were dispatched. */
  async function untilAllDispatched(): Promise<void> {
    const before = started.length;
    ask(1);
    await until('the request of another connection', () => started.length > before);
  }

  it('should destroy a connection with 65 queued requests, and no other', async () => {
    await listen();
    const patient = ask(MAX_OPEN);
    await until('the first request of the patient client', () => started.length === 1);
    const greedy = ask(1);
    await until('the first request of the greedy client', () => started.length === 2);
    greedy.send(MAX_QUEUED + 1);
    await until('the end of the greedy client', () => greedy.socket.destroyed);
    expect(overflows).toBe(1);
    expect(patient.socket.destroyed).toBe(false);
    patient.send(1);
    await until('the end of the patient client', () => patient.socket.destroyed);
  });

  it('should run no queued request of a connection that has closed', async () => {
    await listen();
    const client = ask(2);
    await until('the first request', () => started.length === 1);
    client.socket.destroy();
    await until('the end of the connection', () => started[0]?.destroyed === true);
    await untilAllDispatched();
    expect(started).toHaveLength(2);
  });

  it('should not run a request if its malformed body arrives in the same read', async () => {
    await listen();
    server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const client = ask(0);
    client.socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n');
    await until('the refusal', () => client.received.includes('400'));
    await untilAllDispatched();
    expect(started).toHaveLength(1);
  });

  it('should buffer at most one response of a connection whose client does not read', async () => {
    const unsentAtStart: number[] = [];
    await listen((_request, response) => {
      unsentAtStart.push(unsentOf(started));
      response.end(RESPONSE);
    });
    const client = new Client((server.address() as AddressInfo).port);
    clients.push(client);
    client.socket.pause();
    client.send(60);
    await until('unsent bytes of an answer', () => unsentOf(started) > 0);
    expect(started.length).toBeLessThan(60);
    client.socket.resume();
    await until('all answers', () => client.received.length > 60 * RESPONSE.length);
    expect(Math.max(...unsentAtStart)).toBe(0);
  });

  it('should yield to the event loop after 256 requests that end at once', async () => {
    let inThisTurn = 0;
    let mostInOneTurn = 0;
    await listen((_request, response) => {
      if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
      inThisTurn += 1;
      mostInOneTurn = Math.max(mostInOneTurn, inThisTurn);
      response.end('ok\n');
    });
    const many = Array.from({ length: 30 }, () => ask(1));
    await Promise.all(many.map((client) => until('an answer', () => client.answers === 1)));
    for (const client of many) client.send(MAX_OPEN);
    await Promise.all(
      many.map((client) => until('all its answers', () => client.answers === 1 + MAX_OPEN)),
    );
    // Each connection adds its first request and one that was deferred to this turn.
    expect(mostInOneTurn).toBeLessThanOrEqual(STARTS_PER_TURN + 2 * many.length);
  });
});

/** Bytes of all responses that are still buffered in this process. */
function unsentOf(responses: readonly ServerResponse[]): number {
  return responses.reduce((sum, { writableLength }) => sum + writableLength, 0);
}

class Client {
  received = '';
  readonly socket: Socket;
  private count = 0;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    this.socket.on('error', () => undefined);
  }

  /** Number of responses "ok" that have arrived. */
  get answers(): number {
    return this.received.split('ok\n').length - 1;
  }

  send(count: number): void {
    const paths = Array.from({ length: count }, () => `/${this.count++}`);
    this.socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
  }
}
