import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  createClient,
  NetworkError,
  PressroomError,
  TemporaryError,
  type ClientOptions,
  type PressroomClient,
} from '../../client/src/index.ts';
import { blogBody, PASSWORD, person, unknownId } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';
import { Proxy, type Fate } from './proxy.js';

const LATEST = '/blogs/latest';
const CONTACT = '/contact';
const MESSAGE = { type: 'general', msg: 'Is anybody there?' };

const refused = (status: number, reason?: string, seconds = 0): Fate => ({
  status,
  headers: { 'retry-after': String(seconds) },
  body: { code: '10002', status, message: 'not now', ...(reason ? { reason } : {}) },
});

/** What surely did nothing. */
const REFUSALS: readonly (readonly [string, Fate])[] = [
  ['429', refused(429, 'rate_limited')],
  ['503 that says why', refused(503, 'overloaded')],
];

/** What may have had its effect. */
const UNKNOWN: readonly (readonly [string, Fate])[] = [
  ['a lost request', 'lose request'],
  ['a lost answer', 'lose answer'],
  ['503 of a proxy', { status: 503, body: {} }],
  ['502 of a proxy', { status: 502, headers: { 'content-type': 'text/html' } }],
  ['503 outcome_unknown', refused(503, 'outcome_unknown')],
];

describe('what a client repeats', () => {
  let server: TestApp;
  let proxy: Proxy;
  let client: PressroomClient;

  const open = (options: Partial<ClientOptions> = {}): PressroomClient =>
    createClient({ url: proxy.url, apiKey: API_KEY, ...options });
  const keys = () => proxy.requests.map(({ headers }) => headers['idempotency-key']);

  beforeAll(async () => {
    server = await startApp();
    proxy = await Proxy.open(server.url);
  });

  beforeEach(() => {
    proxy.expect();
    client = open();
  });

  it.each([...REFUSALS, ...UNKNOWN])('should be a GET after %s', async (_, fate) => {
    proxy.expect(fate);
    expect(await client.get(LATEST)).toEqual([]);
    expect(proxy.requests).toHaveLength(2);
  });

  it.each(REFUSALS)('should be a POST after %s, with the same key', async (_, fate) => {
    proxy.expect(fate);
    await client.post(CONTACT, { body: MESSAGE });
    expect(proxy.requests).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it.each(UNKNOWN)('should not be a POST that creates nothing after %s', async (_, fate) => {
    proxy.expect(fate);
    const path = '/admin/webhooks/id/{id}/test';
    const call = client.post(path, { path: { id: unknownId() } });
    await expect(call).rejects.toThrow(PressroomError);
    expect(proxy.requests).toHaveLength(1);
    expect(keys()).toEqual([undefined]);
  });

  it.each(UNKNOWN)('should be a POST that creates after %s, and create once', async (_, fate) => {
    const messages = server.db.collection('messages');
    const before = await messages.countDocuments();
    proxy.expect(fate);
    await client.post(CONTACT, { body: MESSAGE });
    expect(new Set(keys()).size).toBe(1);
    expect(keys()).toHaveLength(2);
    expect(await messages.countDocuments()).toBe(before + 1);
  });

  it('should have the same key after a refresh of the tokens', async () => {
    const { email } = await person(server, 'AUTHOR');
    await client.signIn({ email, password: PASSWORD });
    const { slug: _, ...body } = blogBody();
    const expired: Fate = {
      status: 401,
      headers: { instruction: 'refresh_token' },
      body: { code: '10003', status: 401, message: 'expired', reason: 'access_token_expired' },
    };
    proxy.expect('lose answer', expired);
    const { _id } = await client.post('/blog/author', { body });
    const sent = proxy.to('/blog/author').map(({ headers }) => headers['idempotency-key']);
    expect([sent.length, new Set(sent).size]).toEqual([3, 1]);
    const stored = await server.db.collection('blogs').find({ title: body.title }).toArray();
    expect(stored.map((blog) => String(blog._id))).toEqual([_id]);
  });

  it('should have another key for another call, or the one that was given', async () => {
    await client.post(CONTACT, { body: MESSAGE });
    await client.post(CONTACT, { body: MESSAGE });
    await client.post(CONTACT, { body: MESSAGE, idempotencyKey: 'mine' });
    expect(new Set(keys()).size).toBe(3);
    expect(keys()[2]).toBe('mine');
    expect(keys()[0]).toMatch(/^[\w-]{16,64}$/);
  });

  it('should have a key where there is no randomUUID', async () => {
    const crypto = jest.spyOn(globalThis, 'crypto', 'get').mockReturnValue(undefined as never);
    try {
      await client.post(CONTACT, { body: MESSAGE });
      await client.post(CONTACT, { body: MESSAGE });
    } finally {
      crypto.mockRestore();
    }
    expect(new Set(keys()).size).toBe(2);
    expect(keys()[0]).toMatch(/^[\w-]{16,64}$/);
  });

  it('should not be what was refused for good', async () => {
    proxy.expect({ status: 500, body: { code: '10001', message: 'a defect' } });
    await expect(client.get(LATEST)).rejects.toThrow('a defect');
    expect(proxy.requests).toHaveLength(1);
  });

  it('should be sent after the time that the server asks for', async () => {
    proxy.expect(refused(429, 'rate_limited', 1));
    const startedAt = performance.now();
    await client.get(LATEST);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  });

  it('should not be waited for longer than is allowed', async () => {
    proxy.expect(refused(429, 'rate_limited', 31));
    const error: unknown = await client.get(LATEST).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TemporaryError);
    expect(error).toMatchObject({ retryAfter: 31, reason: 'rate_limited', attempts: 1 });
  });

  it('should wait until a date, as proxies write it', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    proxy.expect({ status: 503, headers: { 'retry-after': inAnHour } });
    const error: unknown = await client.get(LATEST).catch((caught: unknown) => caught);
    expect((error as TemporaryError).retryAfter).toBeGreaterThan(3_500);
  });

  it('should be repeated so often and no more, with growing pauses', async () => {
    proxy.expect('lose request', 'lose request', 'lose request');
    const startedAt = performance.now();
    const error: unknown = await open({ retries: 2 })
      .get(LATEST)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      status: 0,
      attempts: 3,
      message: expect.stringMatching(/^GET http:.* was not answered: \S/),
    });
    expect(proxy.requests).toHaveLength(3);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(125 + 250);
  });

  it('should be what was not answered in time', async () => {
    proxy.expect('never answer');
    expect(await open({ timeoutMs: 1_000 }).get(LATEST)).toEqual([]);
    expect(proxy.requests).toHaveLength(2);
  });

  it.each([
    ['before it is sent', 'pass', 0],
    ['while the server is silent', 'never answer', 1],
    ['while the client waits', refused(503, 'overloaded', 20), 1],
  ] as const)('should end with the signal %s', async (_, fate, requests) => {
    const giveUp = new AbortController();
    proxy.expect(fate);
    if (requests === 0) giveUp.abort();
    const call = client.get(LATEST, { signal: giveUp.signal });
    call.catch(() => undefined);
    await until('the request to be sent', () => proxy.requests.length === requests, 10_000, 1);
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(proxy.requests).toHaveLength(requests);
  });
});
