import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import createFastify, { type FastifyInstance } from 'fastify';
import { registerSlowReaders } from './slow-readers.js';

/** A response that exceeds the socket buffers of a connection whose client does not read. */
const LARGE = Buffer.alloc(32 * 1_048_576, 'a');
/** Bytes that a slow client reads before each pause. */
const PART = 1_048_576;
const PAUSE_MS = 270;
/** The limit of the server. It exceeds the pauses of a busy machine, which would end a connection as well. */
const STALLED_MS = 2_000;
const SWEEP_MS = 50;
/** The socket timeout. Node destroys a connection after the second timeout. */
const TIMEOUT_MS = (STALLED_MS - SWEEP_MS) / 2;
const DEADLINE_MS = 30_000;

describe('registerSlowReaders', () => {
  let fastify: FastifyInstance;
  let port: number;
  const clients: Socket[] = [];

  beforeEach(async () => {
    fastify = createFastify();
    registerSlowReaders(fastify, { stalledMs: STALLED_MS, sweepMs: SWEEP_MS });
    fastify.get('/large', () => LARGE);
    fastify.get('/small', () => 'small');
    port = Number(new URL(await fastify.listen({ port: 0, host: '127.0.0.1' })).port);
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await fastify.close();
  });

  /** Sends a request and reads nothing. */
  function ask(path: string): Socket {
    const client = connect(port, '127.0.0.1');
    clients.push(client);
    client.on('error', () => undefined);
    client.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return client;
  }

  /** The server's socket of the next connection. */
  async function serverSide(): Promise<Socket> {
    return new Promise((resolve) => fastify.server.once('connection', resolve));
  }

  async function closed(socket: Socket): Promise<void> {
    return new Promise((resolve) => socket.once('close', () => resolve()));
  }

  it(
    'should destroy a connection whose client does not read',
    async () => {
      const accepted = serverSide();
      ask('/large');
      await closed(await accepted);
    },
    DEADLINE_MS,
  );

  it(
    'should keep a connection open whose client reads slowly',
    async () => {
      const accepted = serverSide();
      const client = ask('/large');
      const socket = await accepted;
      let received = 0;
      let pauses = 0;
      let hadTimeout = false;
      client.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received < (pauses + 1) * PART) return;
        pauses += 1;
        hadTimeout ||= socket.timeout === TIMEOUT_MS;
        client.pause();
        setTimeout(() => client.resume(), PAUSE_MS);
      });
      const end = closed(client);
      while (received < LARGE.length && !client.closed) {
        await Promise.race([once(client, 'data'), end]);
      }
      expect(received).toBeGreaterThan(LARGE.length);
      expect(hadTimeout).toBe(true);
      expect(pauses * PAUSE_MS).toBeGreaterThan(4 * STALLED_MS);
      expect(socket.destroyed).toBe(false);
    },
    DEADLINE_MS,
  );

  it('should keep a connection open that is idle after a response', async () => {
    const accepted = serverSide();
    const client = ask('/small');
    const socket = await accepted;
    await new Promise((resolve) => client.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, 2 * STALLED_MS));
    expect(socket.destroyed).toBe(false);
    client.write('GET /small HTTP/1.1\r\nhost: a\r\n\r\n');
    await new Promise((resolve) => client.once('data', resolve));
  });
});
