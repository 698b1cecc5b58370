import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Types } from 'mongoose';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LoadLimit } from '../../../src/platform/overload/load-limit.js';
import {
  REQUEST_CLASSES,
  type RequestClass,
} from '../../../src/platform/overload/request-class.js';
import { CLASS_BY_ROUTE } from '../../../src/request-classes.js';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { holdReads, keepLease } from '../caching/support/barriers.js';
import { json, send } from '../http/raw-http.js';
import { Scrape } from '../metrics/scrape.js';
import { PASSWORD, person, type Person } from '../../support/factories.js';
import { API_KEY } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

const CONTACT = { type: 'feedback', msg: 'Good morning' };
const REFUSAL = {
  code: '10002',
  status: 503,
  message: 'the server is overloaded: try again in a moment',
  reason: 'overloaded',
};

const OTHER_PREFIX = '192.0.2.0/24';
const OWN_PREFIX = '127.0.0.0/24';
const ZERO_BY_CLASS = { 'costly-read': 0, read: 0, write: 0, 'sign-in': 0 };

describe('an overloaded server', () => {
  let server: BlogFixture;
  let ada: Person;

  beforeAll(async () => {
    server = await openBlogFixture({
      env: { METRICS_PORT: '0', CORS_ORIGINS: 'https://a.example' },
    });
    ada = await person(server);
  });

  const load = () => server.app.get(LoadLimit);
  const inFlight = () =>
    Object.fromEntries(
      Object.entries(load()['inFlight']).map(([name, requests]) => [name, requests.size]),
    );
  const statusOf = async (path: string) => (await server.client.get<unknown>(path)).status;

  /** Simulates that requests wait for this time while these numbers of requests are in flight. */
  function overload(waitMs: number, { reads = 0, writes = 0, signIns = 0 } = {}): void {
    jest.spyOn(load().starts, 'waitMs').mockReturnValue(waitMs);
    jest.spyOn(load().starts, 'isStanding', 'get').mockReturnValue(true);
    clearInFlight();
    const counts = { read: reads, write: writes, 'sign-in': signIns };
    for (const [requestClass, count] of Object.entries(counts)) {
      for (let n = 0; n < count; n += 1) {
        load().begin({ requestClass: requestClass as RequestClass, clientPrefix: OTHER_PREFIX });
      }
    }
  }
  function clearInFlight(): void {
    for (const requests of Object.values(load()['inFlight'])) requests.clear();
  }
  const MANY_REQUESTS = { reads: 30, writes: 30, signIns: 3 };

  beforeEach(async () => {
    keepLease(server.app);
    // This read caches the API key.
    await server.client.get('/auth/verify/apikey');
  });

  afterEach(() => {
    jest.restoreAllMocks();
    clearInFlight();
  });

  const EXPENSIVE_READS = [
    '/blogs/search?q=word',
    `/blogs/similar/id/${new Types.ObjectId().toHexString()}`,
    '/blogs/latest?page=200&limit=100',
    '/blogs/tag/news?total=true',
    '/feeds/rss.xml',
  ];

  it.each(EXPENSIVE_READS)('should refuse %s first', async (path) => {
    overload(60, MANY_REQUESTS);
    expect(await statusOf(path)).toBe(503);
    expect(await statusOf(`/blogs/latest?limit=${7 + EXPENSIVE_READS.indexOf(path)}`)).toBe(200);
  });

  it('should refuse other reads next, but neither writes, sign-ins, health checks nor cached reads', async () => {
    const path = '/blogs/latest?limit=3';
    expect(await statusOf(path)).toBe(200);
    overload(200, { reads: 30, writes: 20, signIns: 1 });
    expect(await statusOf('/blogs/latest?limit=4')).toBe(503);
    expect(await statusOf(path)).toBe(200);
    for (const health of ['/health', '/health/live', '/health/ready']) {
      expect([health, await statusOf(health)]).toEqual([health, 200]);
    }
    const { email } = ada;
    const signIn = { email, password: PASSWORD };
    expect((await server.client.post('/contact', CONTACT)).status).toBe(200);
    expect((await server.client.post('/auth/signin/basic', signIn)).status).toBe(200);
  });

  it('should refuse writes once too many writes are in flight, and sign-ins likewise', async () => {
    const outcomes = async () => [
      (await server.client.post('/contact', CONTACT)).status,
      (await server.client.post('/auth/signin/basic', {})).status,
    ];
    overload(80, { writes: 30, signIns: 1 });
    expect(await outcomes()).toEqual([503, 422]);
    overload(80, { writes: 1, signIns: 3 });
    expect(await outcomes()).toEqual([200, 503]);
  });

  function fetchUncached(limit: number, signal?: AbortSignal): Promise<Response> {
    const headers = { 'x-api-key': API_KEY };
    return fetch(`${server.url}/blogs/latest?limit=${limit}&uncached`, {
      headers,
      ...(signal && { signal }),
    });
  }

  it('should start all reads of a burst', async () => {
    const paths = Array.from({ length: 100 }, (_, n) => `/blogs/latest?limit=${1 + n}&uncached`);
    expect(new Set(await Promise.all(paths.map(statusOf)))).toEqual(new Set([200]));
  });

  it('should not work on a request whose client has disconnected while it waited', async () => {
    const starts: (() => void)[] = [];
    const queue = jest.spyOn(load().starts, 'add');
    queue.mockImplementation((_clientPrefix, start) => void starts.push(start));
    const controller = new AbortController();
    const firstRead = fetchUncached(33, controller.signal);
    await until('the request to wait', () => starts.length === 1);
    controller.abort();
    await expect(firstRead).rejects.toThrow();
    await until('the request to be canceled', () => inFlight()['read'] === 0);
    const reads = holdReads(server.app);
    for (const start of starts) start();
    queue.mockRestore();
    // This request reads from the database, as the first one would have done.
    const secondRead = fetchUncached(34);
    await until('the second request to read', () => reads.count() > 0);
    reads.release();
    expect((await secondRead).status).toBe(200);
    expect(reads.count()).toBe(1);
  });

  it('should let no client prefix keep others out while the database is slow', async () => {
    const reads = holdReads(server.app);
    for (let n = 0; n < 300; n += 1) {
      load().begin({ requestClass: 'read', clientPrefix: OTHER_PREFIX });
    }
    const other = fetchUncached(35);
    await until('the read to begin', () => reads.count() === 1);
    reads.release();
    expect((await other).status).toBe(200);
    for (let n = 0; n < 128; n += 1) {
      load().begin({ requestClass: 'read', clientPrefix: OWN_PREFIX });
    }
    expect(await statusOf('/blogs/latest?limit=36')).toBe(503);
  });

  it('should refuse with an envelope and the usual headers', async () => {
    overload(200, MANY_REQUESTS);
    const headers = { 'x-request-id': 'mine', origin: 'https://a.example' };
    const answer = await server.client.get<unknown>('/blogs/latest?limit=31', { headers });
    expect([answer.status, answer.body]).toEqual([503, REFUSAL]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'retry-after': '1',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(JSON.stringify(REFUSAL))),
      'x-request-id': 'mine',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'access-control-allow-origin': 'https://a.example',
      vary: 'Origin',
    });
    const head = await send(server.url, '/blogs/latest?limit=31', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([503, '']);
  });

  /** @returns status and `connection` of the answer, and the socket */
  async function sendOver(agent: Agent, method: string, path: string, body?: string) {
    const headers = {
      'x-api-key': API_KEY,
      ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
    };
    const { hostname, port } = new URL(server.url);
    const outgoing = request({ agent, hostname, port, method, path, headers });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const socket: Socket = incoming.socket;
    incoming.resume();
    await once(incoming, 'end');
    return { status: incoming.statusCode, connection: incoming.headers.connection, socket };
  }

  it('should keep the connection of a refused request', async () => {
    overload(200, MANY_REQUESTS);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await sendOver(agent, 'GET', '/blogs/latest?limit=30');
    const second = await sendOver(agent, 'POST', '/contact', JSON.stringify(CONTACT));
    const third = await sendOver(agent, 'GET', '/health/live');
    agent.destroy();
    expect([first.status, second.status, third.status]).toEqual([503, 503, 200]);
    expect(second.connection).toBe('keep-alive');
    expect(third.socket).toBe(first.socket);
  });

  it('should end the connection of a request whose large body is still to come', async () => {
    overload(200, MANY_REQUESTS);
    const headers = { 'x-api-key': API_KEY, 'content-length': '900000', expect: '100-continue' };
    const answer = await send(server.url, '/contact', { ...json('{'), headers });
    expect(answer.status).toBe(503);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse(answer.text)).toEqual(REFUSAL);
  });

  it('should count no ended request as in flight, however it has ended', async () => {
    const { client } = server;
    await client.get('/blog/id/nonsense');
    await client.get(`/blog/id/${new Types.ObjectId().toHexString()}`);
    await client.with({ 'x-api-key': null }).get('/blogs/latest?limit=32');
    await client.post('/contact', { type: 1 });
    await client.post('/blog/author', {});
    await send(server.url, '/contact', json('{', { 'x-api-key': API_KEY }));
    await send(server.url, '/contact', { ...json('hello'), headers: { 'x-api-key': API_KEY } });
    expect(inFlight()).toEqual(ZERO_BY_CLASS);
    const controller = new AbortController();
    const reads = holdReads(server.app);
    const closed = new Promise((resolve) => {
      const http = server.app.getHttpServer();
      http.once('request', (_request, response) => response.once('close', resolve));
    });
    const abortedRead = fetchUncached(33, controller.signal);
    await until('the request to begin', () => reads.count() === 1);
    expect(inFlight()['read']).toBe(1);
    controller.abort();
    await expect(abortedRead).rejects.toThrow();
    await closed;
    reads.release();
    await until('the request to end', () => inFlight()['read'] === 0);
  });

  it('should count the refusals by class, and assign classes to existing routes only', async () => {
    const seriesOf = (name: string) => `pressroom_overload_refusals_total{class="${name}"}`;
    const before = await Scrape.of(server.metricsUrl);
    overload(200, MANY_REQUESTS);
    await statusOf('/blogs/latest?limit=34');
    const after = await Scrape.of(server.metricsUrl);
    const grown = Object.keys(REQUEST_CLASSES).map((requestClass) => [
      requestClass,
      after.valueOf(seriesOf(requestClass)) - before.valueOf(seriesOf(requestClass)),
    ]);
    expect(Object.fromEntries(grown)).toEqual({ ...ZERO_BY_CLASS, read: 1 });
    const fastify = server.app.getHttpAdapter().getInstance();
    for (const route of Object.keys(CLASS_BY_ROUTE)) {
      const [method = '', url = ''] = route.split(' ');
      expect([route, fastify.hasRoute({ method, url })]).toEqual([route, true]);
    }
  });
});
