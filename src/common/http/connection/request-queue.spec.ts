import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MAX_RUNNING, MAX_WAITING, RequestQueue } from './request-queue.js';

const DEADLINE_MS = 10_000;
const KIB = 1_024;

/** Together more than the system keeps for a connection that nobody reads from. */
const ANSWER = Buffer.alloc(400 * KIB, 'a');
const REQUESTS = 60;

/** 64 MiB, at one for each request that has no answer yet. */
const MAX_PIPELINED_OF_PROCESS = 64;

interface Started {
  readonly path: string;
  readonly response: ServerResponse;
}

describe('RequestQueue', () => {
  let server: Server;
  let started: Started[] = [];
  let overflows = 0;
  const clients: Client[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** @param answer what becomes of a request; without it, it goes on running */
  async function listen(
    answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined,
  ): Promise<void> {
    started = [];
    overflows = 0;
    const queue = new RequestQueue(
      (request, response) => {
        started.push({ path: request.url ?? '', response });
        answer(request, response);
      },
      { onOverflow: () => (overflows += 1) },
    );
    server = createServer(queue.accept).listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  /** @returns a client that has sent requests for /0, /1 … at once */
  function ask(count: number): Client {
    const client = new Client((server.address() as AddressInfo).port);
    clients.push(client);
    client.send(count);
    return client;
  }

  async function reach(what: string, isReached: () => boolean): Promise<void> {
    const deadline = Date.now() + DEADLINE_MS;
    while (!isReached()) {
      if (Date.now() > deadline) throw new Error(`not reached: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Of a connection of its own: what came before it has been dispatched. */
  async function afterAllOthers(): Promise<void> {
    const before = started.length;
    ask(1);
    await reach('the request of another connection', () => started.length > before);
  }

  it('should run 32 requests of a connection, and the next with each answer', async () => {
    await listen();
    ask(40);
    await reach('as many as may run', () => started.length === MAX_RUNNING);
    await afterAllOthers();
    expect(started).toHaveLength(MAX_RUNNING + 1);
    started[0]?.response.end();
    await reach('one more', () => started.length === MAX_RUNNING + 2);
    await afterAllOthers();
    expect(started).toHaveLength(MAX_RUNNING + 3);
  });

  it('should answer all in their order, however late each is', async () => {
    await listen(({ url }, response) => {
      const number = Number(url?.slice(1));
      setTimeout(() => response.end(`<${number}>`), (number * 7) % 13);
    });
    const count = MAX_RUNNING + MAX_WAITING;
    const client = ask(count);
    await reach('the last answer', () => client.received.includes(`<${count - 1}>`));
    const numbers = [...client.received.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index));
    expect(overflows).toBe(0);
  });

  it('should destroy a connection that has 65 requests waiting, and only that one', async () => {
    await listen();
    const { stackTraceLimit } = Error;
    const patient = ask(MAX_RUNNING + MAX_WAITING);
    await reach('as many as may run', () => started.length === MAX_RUNNING);
    const greedy = ask(MAX_RUNNING + MAX_WAITING + 1);
    await reach('its end', () => greedy.socket.destroyed);
    expect(overflows).toBe(1);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
    expect(patient.socket.destroyed).toBe(false);
    patient.send(1);
    await reach('the end of the other', () => patient.socket.destroyed);
  });

  it('should run none of the requests of a connection that has closed', async () => {
    await listen();
    const client = ask(MAX_RUNNING + 1);
    await reach('as many as may run', () => started.length === MAX_RUNNING);
    client.socket.destroy();
    await reach('its end', () => started[0]?.response.destroyed === true);
    await afterAllOthers();
    expect(started).toHaveLength(MAX_RUNNING + 1);
  });

  it('should start none while more than 64 KiB are unsent, and all once they are read', async () => {
    const unsentAtStart: number[] = [];
    await listen((_request, response) => {
      // The one whose turn it is may always run.
      if (response.socket === null) unsentAtStart.push(unsentOf(started.slice(0, -1)));
      response.end(ANSWER);
    });
    const client = new Client((server.address() as AddressInfo).port);
    clients.push(client);
    client.socket.pause();
    client.send(REQUESTS);
    // The system itself keeps some megabytes of a connection.
    await reach('answers to wait', () => unsentOf(started) > 0);
    await afterAllOthers();
    expect(started.length).toBeLessThan(REQUESTS);
    expect(unsentOf(started)).toBeLessThan(3 * ANSWER.length);
    client.socket.resume();
    await reach('all answers', () => client.received.length > REQUESTS * ANSWER.length);
    expect(Math.max(...unsentAtStart)).toBeLessThanOrEqual(64 * KIB);
  });

  it('should run one request of each connection, and further ones while there is room', async () => {
    await listen();
    const connections = 20;
    for (let index = 0; index < connections; index += 1) ask(MAX_RUNNING);
    const most = MAX_PIPELINED_OF_PROCESS + connections;
    await reach('as many as may run', () => started.length === most);
    await afterAllOthers();
    expect(started).toHaveLength(most + 1);
    // What closes makes room for others.
    for (const { socket } of clients.slice(0, 10)) socket.destroy();
    await reach('ten to be gone', () => {
      return started.filter(({ response }) => response.destroyed).length >= 10;
    });
    const before = started.length;
    ask(MAX_RUNNING);
    await reach('all of a new one', () => started.length === before + MAX_RUNNING);
  });

  it('should run the next request of a connection, however little room others leave', async () => {
    await listen();
    for (const count of [MAX_RUNNING, MAX_RUNNING, MAX_RUNNING]) ask(count);
    await reach('no room', () => started.length === MAX_PIPELINED_OF_PROCESS + 3);
    const before = started.length;
    const client = ask(1);
    await reach('its first request', () => started.length === before + 1);
    client.send(1);
    await afterAllOthers();
    expect(started).toHaveLength(before + 2);
    started[before]?.response.end();
    await reach('its second one', () => started.length === before + 3);
  });

  it('should leave no room taken by what was answered', async () => {
    await listen((_request, response) => void setImmediate(() => response.end('ok')));
    for (let round = 0; round < 20; round += 1) {
      const client = ask(MAX_RUNNING);
      await reach('all answers', () => client.received.split('ok').length > MAX_RUNNING);
    }
    expect(started).toHaveLength(20 * MAX_RUNNING);
  });
});

/** Bytes of all answers that the system has not taken yet. */
function unsentOf(answers: readonly Started[]): number {
  return answers.reduce((sum, { response }) => sum + response.writableLength, 0);
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

  send(count: number): void {
    const paths = Array.from({ length: count }, () => `/${this.count++}`);
    this.socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
  }
}
