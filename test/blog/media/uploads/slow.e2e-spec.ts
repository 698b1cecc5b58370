import type { Server } from 'node:http';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { drainServer } from '../../../../src/platform/http/connection/drain/drain-server.js';
import { serverOf } from '../../../../src/cli/stop-serving.js';
import { person, type Person } from '../../../support/factories.js';
import { pictureFile } from '../../../support/pictures.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { INTERVALS_ONLY, SECOND } from '../../../support/time/clock.js';
import { until } from '../../../support/time/wait.js';
import { RawClient } from '../../../platform/http/connection/raw-client.js';
import { arrivingFiles, formBytes, uploadHead } from './raw-upload.js';

/** Shorter than the server's 10 and 15 s (connection.e2e-spec.ts). Node checks them every 2 s. */
const SHORT_TIMEOUTS = { headersTimeout: 300, requestTimeout: 600 } as const;

/** The time over which the rate of an upload is measured, and what must arrive in it: 8 KiB/s. */
const WINDOW_MS = 15 * SECOND;
const ENOUGH_BYTES = 15 * 8_192;

describe('A slow upload', () => {
  let server: TestApp;
  let author: Person;
  let body: Buffer;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
    body = formBytes([['file', await pictureFile('png', 500, 400)]]);
  });

  afterEach(async () => {
    jest.useRealTimers();
    for (const client of clients.splice(0)) client.close();
    await until('no file to be left', async () => (await arrivingFiles(server)).length === 0);
  });

  /** Begins an upload. @returns once the server has stored as much of the file as was sent */
  async function begin(sent: number): Promise<RawClient> {
    const client = new RawClient(server.url);
    clients.push(client);
    client.write(uploadHead(author, body.length));
    client.write(body.subarray(0, sent));
    await until('the file', async () => (await arrivingFiles(server)).length === clients.length);
    return client;
  }

  /** Lets the time of a window pass for the check of the rate. */
  async function passWindow(client: RawClient, send: number, from: number): Promise<void> {
    const { bytesWritten } = client.socket;
    if (send > 0) client.write(body.subarray(from, from + send));
    await until('the bytes to be sent', () => client.socket.bytesWritten >= bytesWritten + send);
    await received(send === 0 ? 0 : from + send);
    jest.advanceTimersByTime(WINDOW_MS);
  }

  /** Waits until the server has read so much of the body. */
  async function received(bytes: number): Promise<void> {
    await until('the server to read', () =>
      [...serverOf(server.app).sockets].some(({ bytesRead }) => bytesRead >= bytes),
    );
  }

  it('should outlast the time limit of other requests', async () => {
    const node: Server = server.app.getHttpServer();
    const { headersTimeout, requestTimeout } = node;
    Object.assign(node, SHORT_TIMEOUTS);
    let timeouts = 0;
    node.on('clientError', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') timeouts += 1;
    });
    const client = await begin(5_000);
    await until('the time limit to have passed', () => timeouts > 0);
    expect(client.isEnded).toBe(false);
    client.write(body.subarray(5_000));
    await until('an answer', () => client.statuses.length === 1);
    expect(client.statuses).toEqual(['200']);
    // Other requests of the connection are limited again.
    client.write('GET /health/live HTTP/1.1\r\nhost: a\r\n');
    await until('the next time limit to have passed', () => timeouts > 1);
    await until('the end', () => client.isEnded);
    expect(client.statuses).toEqual(['200', '408']);
    Object.assign(node, { headersTimeout, requestTimeout });
  });

  it('should be taken while it keeps the lowest rate, and get 408 below it', async () => {
    jest.useFakeTimers(INTERVALS_ONLY);
    const kept = await begin(5_000);
    await passWindow(kept, ENOUGH_BYTES, 5_000);
    await passWindow(kept, ENOUGH_BYTES, 5_000 + ENOUGH_BYTES);
    expect(kept.statuses).toEqual([]);
    kept.write(body.subarray(5_000 + 2 * ENOUGH_BYTES));
    await until('an answer', () => kept.statuses.length === 1);
    expect(kept.statuses).toEqual(['200']);
    clients.splice(0);
    kept.close();

    const slow = await begin(5_000);
    await passWindow(slow, ENOUGH_BYTES, 5_000);
    expect(slow.statuses).toEqual([]);
    await passWindow(slow, 8_192, 5_000 + ENOUGH_BYTES);
    await until('the end', () => slow.isEnded);
    expect(slow.statuses).toEqual(['408']);
    expect(slow.received).toContain('"message":"the request took too long to arrive"');
  });

  it('should be refused with 503 when too many arrive', async () => {
    for (let each = 0; each < 8; each += 1) await begin(5_000);
    const ninth = new RawClient(server.url);
    clients.push(ninth);
    ninth.write(uploadHead(author, body.length));
    ninth.write(body);
    await until('an answer', () => ninth.statuses.length === 1);
    expect(ninth.statuses).toEqual(['503']);
    expect(ninth.received).toContain('too many files arrive: send this one again in a moment');
    // Others are not affected.
    const other = new RawClient(server.url);
    clients.push(other);
    other.write(uploadHead(await person(server, 'AUTHOR'), body.length));
    other.write(body);
    await until('an answer', () => other.statuses.length === 1);
    expect(other.statuses).toEqual(['200']);
  });

  it('should be answered although the server stops', async () => {
    const client = await begin(5_000);
    const stopped = drainServer(serverOf(server.app), { graceMs: 1, deadlineMs: 20_000 });
    client.write(body.subarray(5_000));
    await until('an answer', () => client.statuses.length === 1);
    expect(client.statuses).toEqual(['200']);
    expect(await stopped).toBe(0);
  });
});
