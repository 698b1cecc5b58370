import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API_KEY, startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { RawClient, requestHead } from './raw-client.js';

/** Shorter than the server's 10 and 15 s (connection.e2e-spec.ts). Node checks them every 2 s. */
const SHORT_TIMEOUTS = { headersTimeout: 300, requestTimeout: 600 } as const;
const LONG_TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 15_000 } as const;

const BODY = '{"type":"feedback","msg":"Good morning"}';
const POST = requestHead(
  'POST /contact',
  `x-api-key: ${API_KEY}`,
  'content-type: application/json',
  `content-length: ${BODY.length}`,
);
const GET = 'GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n';

describe('A slow client', () => {
  let server: TestApp;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    server = await startApp();
  });

  beforeEach(() => {
    Object.assign(node(), SHORT_TIMEOUTS);
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  function node(): Server {
    return server.app.getHttpServer();
  }

  function openClient(text: string): RawClient {
    const client = new RawClient(server.url);
    client.write(text);
    clients.push(client);
    return client;
  }

  function connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      node().getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  it('should get 408 and be disconnected, unlike an idle client', async () => {
    const idle = openClient(GET);
    await until('the first answer to the idle client', () => idle.statuses.length === 1);
    const texts = [
      '',
      'GET /health/live HTTP/1.1\r\nhost: a\r\nx-a: ',
      POST + BODY.slice(0, -1),
      // This client stops within its second request.
      `${GET}GET /health/live HTTP/1.1\r\n`,
    ];
    const slow = texts.map(openClient);
    for (const client of slow) {
      await until('the server to end the connection', () => client.isEnded);
      expect(client.statuses.at(-1)).toBe('408');
      expect(client.received).toContain('"message":"the request took too long to arrive"');
    }
    await until('the server to close the connections', async () => (await connections()) === 1);
    idle.write(GET);
    await until('its second answer', () => idle.statuses.length === 2);
    expect(idle.statuses).toEqual(['200', '200']);
    expect(idle.isEnded).toBe(false);
  });

  it('should be disconnected after an error although it continues to send', async () => {
    const client = openClient('hello\r\n\r\n');
    await until('the server to end the connection', () => client.isEnded);
    expect(client.statuses).toEqual(['400']);
    client.write('and more');
    await until('the server to close the connection', async () => (await connections()) === 0);
  });

  it('should have 30 s to continue reading a response', async () => {
    const accepted = new Promise<Socket>((resolve) => node().once('connection', resolve));
    const client = openClient('');
    client.socket.pause();
    const socket = await accepted;
    // The answers exceed the socket buffers.
    const requests = GET.replace('/health/live', '/openapi.json').repeat(20);
    await until('answers to wait', () => {
      client.write(requests);
      return socket.writableLength > 0;
    });
    // (30 s - 5 s) / 2: a check every 5 s sets the timeout, and Node destroys the socket at the second timeout.
    await until('the timeout to be checked', () => socket.timeout === 12_500);
  });

  it('should be served when the last byte is in time', async () => {
    Object.assign(node(), LONG_TIMEOUTS);
    const client = openClient(POST + BODY.slice(0, -1));
    await until('the connection', async () => (await connections()) === 1);
    client.write(BODY.slice(-1));
    await until('the answer', () => client.statuses.length === 1);
    expect(client.statuses).toEqual(['200']);
  });
});
