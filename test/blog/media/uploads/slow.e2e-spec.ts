import type { Server } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { drainServer } from '../../../../src/platform/http/connection/drain/drain-server.js';
import { serverOf } from '../../../../src/cli/stop-serving.js';
import { person, type Person } from '../../../support/factories.js';
import { pictureFile } from '../../../support/media/pictures.js';
import { temporaryFolder } from '../../../support/process.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { RawClient } from '../../../platform/http/connection/raw-client.js';
import { arrivingFiles, formBytes, uploadHead } from './raw-upload.js';

/** Shorter than the server's 10 and 15 s (connection.e2e-spec.ts). Node checks them every 2 s. */
const SHORT_TIMEOUTS = { headersTimeout: 300, requestTimeout: 600 } as const;

describe('A slow upload', () => {
  let server: TestApp;
  let author: Person;
  let body: Buffer;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    // What a test that was killed has left elsewhere does not count.
    server = await startApp({ env: { MEDIA_CACHE_DIR: await temporaryFolder() } });
    author = await person(server, 'AUTHOR');
    body = formBytes([['file', await pictureFile('png', 700, 500)]]);
  });

  afterEach(async () => {
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

  it('should be refused with 503 when too many arrive', async () => {
    for (let each = 0; each < 8; each += 1) await begin(5_000);
    const ninth = new RawClient(server.url);
    clients.push(ninth);
    ninth.write(uploadHead(author, body.length));
    ninth.write(body.subarray(0, 5_000));
    // The answer to another request shows that the server has read this much. A browser that still sends reads no answer.
    await author.client.get('/media');
    expect(ninth.received).toBe('');
    ninth.write(body.subarray(5_000));
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
