import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QueuedServer, type TcpHandle } from '../queued-server.js';
import { drainServer, type DrainOptions } from './drain-server.js';

/** Long enough for a request of these tests, even on a busy machine. */
const GRACE_MS = 300;

describe('drainServer', () => {
  let server: QueuedServer;
  const held: ServerResponse[] = [];
  const clients: Client[] = [];

  /** Answers with the URL of the request. A response to /held is left for the test to send. */
  const answer = ({ url }: IncomingMessage, response: ServerResponse): void => {
    if (url === '/held') held.push(response);
    else response.end(url);
  };

  const open = async (): Promise<void> => {
    server = new QueuedServer(answer, () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };

  const client = (text = ''): Client => {
    const opened = new Client((server.address() as AddressInfo).port);
    clients.push(opened);
    opened.socket.write(text);
    return opened;
  };

  const drain = (options: DrainOptions = {}): Promise<number> =>
    drainServer(server, { graceMs: GRACE_MS, ...options });

  /** A client that has received one answer and may send the next request. */
  const idleClient = async (): Promise<Client> => {
    const idle = client(get('/before'));
    await idle.until('/before');
    return idle;
  };

  const untilPortClosed = async (): Promise<void> => {
    while (server.listening) await new Promise(setImmediate);
  };

  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    held.length = 0;
    server.closeAllConnections();
    server.close();
  });

  it('should answer a request that was sent before the client knew of the stop', async () => {
    await open();
    const idle = await idleClient();
    const drained = drain();
    await untilPortClosed();
    idle.socket.write(get('/late'));
    await idle.closed;
    expect(idle.received.split('/before')[1]).toMatch(
      /^HTTP\/1\.1 200.*Connection: close.*\/late$/s,
    );
    expect(idle.failure).toBeNull();
    expect(await drained).toBe(0);
  });

  it('should close connections without a request after the grace time, not before', async () => {
    await open();
    const all = [await idleClient(), client()];
    while (server.sockets.size < all.length) await new Promise(setImmediate);
    const startedAt = performance.now();
    const drained = drain();
    await Promise.all(all.map(({ closed }) => closed));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(GRACE_MS - 5);
    expect(await drained).toBe(0);
  });

  it('should answer on connections that were not accepted yet', async () => {
    await open();
    const waiting = Array.from({ length: 50 }, () => client(get('/waited')));
    const drained = drain();
    await Promise.all(waiting.map(({ closed }) => closed));
    const lost = waiting.filter(({ received }) => !received.endsWith('/waited'));
    expect(lost.map(({ failure }) => failure)).toEqual([]);
    expect(await drained).toBe(0);
  });

  it('should answer all requests that have arrived, and close after the last one', async () => {
    await open();
    const pipelining = client(get('/held') + get('/second') + get('/third'));
    while (held.length === 0) await new Promise(setImmediate);
    const drained = drain();
    await untilPortClosed();
    held[0]?.end('/first');
    await pipelining.closed;
    const answers = pipelining.received.split('HTTP/1.1 200').slice(1);
    expect(answers.map((text) => /Connection: close/.test(text))).toEqual([false, false, true]);
    expect(answers[2]).toMatch(/\/third$/);
    expect(await drained).toBe(0);
  });

  it('should not reset a connection whose client goes on sending', async () => {
    await open();
    const eager = await idleClient();
    eager.socket.write(get('/held'));
    while (held.length === 0) await new Promise(setImmediate);
    const drained = drain();
    await untilPortClosed();
    const timer = setInterval(() => eager.socket.write(get('/more')), 1);
    held[0]?.end('/held');
    await drained;
    clearInterval(timer);
    expect(eager.received).toMatch(/Connection: close.*\/held$/s);
    expect(eager.failure).toBeNull();
  });

  it('should wait for a request that arrives slowly', async () => {
    await open();
    const slow = await idleClient();
    const drained = drain();
    await untilPortClosed();
    const startedAt = performance.now();
    const letters = [...get('/slow')];
    const timer = setInterval(
      () => {
        slow.socket.write(letters.shift() ?? '');
        if (letters.length === 0) clearInterval(timer);
      },
      (2 * GRACE_MS) / letters.length,
    );
    await slow.closed;
    expect(performance.now() - startedAt).toBeGreaterThan(GRACE_MS);
    expect(slow.received).toMatch(/Connection: close.*\/slow$/s);
    expect(await drained).toBe(0);
  });

  it('should destroy connections that are open at the deadline, and return their number', async () => {
    await open();
    client(get('/held'));
    client(get('/held'));
    while (held.length < 2) await new Promise(setImmediate);
    expect(await drain({ deadlineMs: 50 })).toBe(2);
  });

  describe('with a server that takes over', () => {
    let successor: QueuedServer;
    // A process can have only one handle of a connection. So another process takes it, and sends a second one back.
    const code = 'process.on("message", (message, handle) => process.send(message, handle))';
    const relay = spawn(process.execPath, ['-e', code], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    relay.on('message', (_message, handle) => successor.adopt(handle as unknown as TcpHandle));

    afterAll(() => relay.disconnect());

    beforeEach(async () => {
      successor = new QueuedServer(
        ({ url }, response) => {
          response.end(`successor${url}`);
        },
        () => undefined,
      );
      successor.listen(0, '127.0.0.1');
      await once(successor, 'listening');
      await open();
    });

    afterEach(() => {
      successor.closeAllConnections();
      successor.close();
    });

    const handOver = (connection: Socket): void => {
      const { _handle: handle } = connection as unknown as { _handle: { readStop(): void } };
      handle.readStop();
      relay.send({}, handle as never, {}, () => connection.destroy());
    };

    it('should hand over connections without a request, used or not', async () => {
      const used = await idleClient();
      const unused = client();
      while (server.sockets.size < 2) await new Promise(setImmediate);
      expect(await drain({ handOver, graceMs: 60_000 })).toBe(0);
      for (const each of [used, unused]) {
        for (const path of ['/one', '/two']) {
          each.socket.write(get(path));
          await each.until(`successor${path}`);
        }
      }
      expect(used.received).not.toMatch(/Connection: close/);
    });

    it('should answer, and not hand over, a request that has begun to arrive', async () => {
      const slow = await idleClient();
      const { bytesRead } = [...server.sockets][0] as Socket;
      slow.socket.write('GET /slow HTTP/1.1\r\n');
      while ([...server.sockets][0]?.bytesRead === bytesRead) await new Promise(setImmediate);
      const drained = drain({ handOver });
      await untilPortClosed();
      slow.socket.write('host: a\r\n\r\n');
      await slow.closed;
      expect(slow.received).toMatch(/Connection: close.*\r\n\/slow$/s);
      expect(await drained).toBe(0);
    });

    it('should not hand over a connection whose request was answered before its body arrived', async () => {
      const early = client('POST /early HTTP/1.1\r\nhost: a\r\ncontent-length: 40\r\n\r\n');
      await early.until('/early');
      const drained = drain({ handOver });
      await untilPortClosed();
      // Another server would read this as a request.
      early.socket.write(get('/smuggled'));
      await early.closed;
      expect(early.received).not.toContain('successor');
      expect(await drained).toBe(0);
    });
  });

  it('should do nothing when the server does not listen', async () => {
    server = new QueuedServer(answer, () => undefined);
    expect(await drain()).toBe(0);
  });
});

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
}

/** A connection that collects what it receives, and closes its side when the server does. */
class Client {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  received = '';
  failure: string | null = null;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
    this.socket.on('error', ({ message }) => (this.failure = message));
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  async until(text: string): Promise<void> {
    while (!this.received.endsWith(text)) await once(this.socket, 'data');
  }
}
