import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { requestHead as head, SlowClient } from './slow-client.js';

const MIB = 1_048_576;
const MESSAGE = '{"type":"feedback","msg":"Good morning"}';

const KEY = `x-api-key: ${API_KEY}`;
const JSON_TYPE = 'content-type: application/json';
const LENGTH = `content-length: ${MIB}`;

/** Well before the server's timeout of a slow request (15 s). */
const PROMPT_RESPONSE_MS = 5_000;

describe('The response to a refused upload', () => {
  let server: TestApp;
  const clients: SlowClient[] = [];
  /** The server's sockets of the test's connections. */
  const accepted: Socket[] = [];

  beforeAll(async () => {
    server = await startApp();
    const node: Server = server.app.getHttpServer();
    node.on('connection', (socket: Socket) => accepted.push(socket));
  });

  afterEach(() => {
    accepted.splice(0);
    for (const client of clients.splice(0)) client.close();
  });

  function open(text: string): SlowClient {
    const client = new SlowClient(server.url);
    client.write(text);
    clients.push(client);
    return client;
  }

  function isDestroyed(): boolean {
    return accepted.length >= clients.length && accepted.every(({ destroyed }) => destroyed);
  }

  it('should reach a client that continues to send', async () => {
    const body = Buffer.alloc(MIB, ' ');
    for (let round = 0; round < 20; round += 1) {
      const client = open(head('POST /contact', JSON_TYPE, LENGTH));
      client.write(body);
      await until('the response', () => client.isEnded, PROMPT_RESPONSE_MS);
      await until('the server to close it', isDestroyed, PROMPT_RESPONSE_MS);
      expect(client.statuses).toEqual(['401']);
      expect(client.received).toMatch(/\}$/);
    }
  });

  it('should not be lost by a reset: the server waits for the client to close', async () => {
    const client = open(head('POST /contact', JSON_TYPE, LENGTH));
    await until('the connection', () => accepted.length === 1, PROMPT_RESPONSE_MS);
    let hasReadToTheEnd = false;
    accepted[0]?.once('end', () => (hasReadToTheEnd = true));
    await until('the response', () => client.isEnded, PROMPT_RESPONSE_MS);
    client.end();
    await until('the server to close it', isDestroyed, PROMPT_RESPONSE_MS);
    expect(hasReadToTheEnd).toBe(true);
  });

  it('should not be followed by requests from the bytes of the body', async () => {
    const before = await server.db.collection('messages').countDocuments();
    const smuggled =
      head('POST /contact', KEY, JSON_TYPE, `content-length: ${MESSAGE.length}`) + MESSAGE;
    const length = `content-length: ${smuggled.length}`;
    // Within the body and after it, when the server has responded.
    const client = open(head('POST /contact', JSON_TYPE, length));
    await until('the response', () => client.isEnded, PROMPT_RESPONSE_MS);
    client.write(smuggled + smuggled);
    await until('the server to close it', isDestroyed, PROMPT_RESPONSE_MS);
    expect(client.statuses).toEqual(['401']);
    expect(await server.db.collection('messages').countDocuments()).toBe(before);
  });

  it('should free the connections of 500 stalled uploads without a key', async () => {
    const part = `{"type":"${'a'.repeat(4_000)}`;
    for (let count = 0; count < 500; count += 1)
      open(head('POST /contact', JSON_TYPE, LENGTH) + part);
    await until('all to be answered', () => clients.every(({ isEnded }) => isEnded));
    // No client has closed its side, and the timeout of slow requests has not passed.
    await until('the server to close them', isDestroyed);
    expect(new Set(clients.map(({ statuses }) => statuses.join()))).toEqual(new Set(['401']));
  });

  it('should keep the connection of a request without a body', async () => {
    const client = open(head('GET /blogs/latest'));
    await until('the first answer', () => client.statuses.length === 1, PROMPT_RESPONSE_MS);
    client.write(head('POST /contact', 'content-length: 0'));
    await until('the second answer', () => client.statuses.length === 2, PROMPT_RESPONSE_MS);
    client.write(head('POST /nowhere'));
    await until('the third answer', () => client.statuses.length === 3, PROMPT_RESPONSE_MS);
    expect(client.statuses).toEqual(['401', '401', '404']);
    expect(client.isEnded).toBe(false);
  });
});
