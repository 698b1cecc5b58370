import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  createClient,
  NetworkError,
  NotFoundError,
  PressroomError,
  StaleRevisionError,
  TemporaryError,
  ValidationError,
  type ClientOptions,
  type PressroomClient,
} from '../../client/src/index.ts';
import { account, blogBody, PASSWORD, unknownId } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';
import { Proxy, type Fate } from './proxy.js';

const ARTICLES = 7;
const LATEST = '/blogs/latest';
const CONTACT = '/contact';
const MESSAGE = { type: 'general', msg: 'Is anybody there?' };

const refused = (status: number, reason?: string, seconds = 0): Fate => ({
  status,
  headers: { 'retry-after': String(seconds) },
  body: { code: '10002', status, message: 'not now', ...(reason ? { reason } : {}) },
});

/** Answers to requests that have certainly changed nothing. */
const REFUSALS: readonly (readonly [string, Fate])[] = [
  ['429', refused(429, 'rate_limited')],
  ['503 that says why', refused(503, 'overloaded')],
];

/** Fates of requests that may have changed something. */
const UNKNOWN: readonly (readonly [string, Fate])[] = [
  ['a lost answer', 'lose answer'],
  ['503 of a proxy', { status: 503, body: {} }],
  ['502 of a proxy', { status: 502, headers: { 'content-type': 'text/html' } }],
  ['503 outcome_unknown', refused(503, 'outcome_unknown')],
];

describe('the calls of a client', () => {
  let server: TestApp;
  let proxy: Proxy;
  let reader: PressroomClient;
  let editor: PressroomClient;
  /** The ids of the articles, oldest first. */
  const ids: string[] = [];

  const open = (options: Partial<ClientOptions> = {}): PressroomClient =>
    createClient({ url: `${proxy.url}/`, apiKey: API_KEY, ...options });
  const signedIn = async (...roles: Parameters<typeof account>[1][]): Promise<PressroomClient> => {
    const client = open();
    const { email } = await account(server, ...roles);
    await client.signIn({ email, password: PASSWORD });
    return client;
  };
  const caught = async (call: Promise<unknown>): Promise<PressroomError> =>
    call.then(
      () => {
        throw new Error('nothing was thrown');
      },
      (error: unknown) => error as PressroomError,
    );

  beforeAll(async () => {
    server = await startApp();
    proxy = await Proxy.open(server.url);
    reader = open();
    editor = await signedIn('AUTHOR', 'EDITOR');
    for (let count = 1; count <= ARTICLES; count += 1) {
      const { _id: id } = await editor.post('/blog/author', { body: blogBody({ tags: ['a&b'] }) });
      await editor.put('/blog/author/submit/{id}', { path: { id } });
      await editor.put('/blog/editor/publish/id/{id}', { path: { id } });
      ids.push(id);
    }
  });

  beforeEach(() => proxy.reset());

  it('should return the data, and send no parameter that is undefined', async () => {
    const query = { limit: 1, page: undefined as unknown as number };
    const [newest] = await reader.get('/blogs/latest', { query });
    expect(newest?._id).toBe(ids.at(-1));
    expect(proxy.requests[0]?.path).toBe('/blogs/latest?limit=1');
  });

  it('should encode a path parameter so that it stays one segment', async () => {
    const [first] = await reader.get('/blogs/tag/{tag}', { path: { tag: 'a&b' } });
    expect(first?.tags).toEqual(['a&b']);
    const error = await caught(reader.get('/blog/id/{id}', { path: { id: '../latest' } }));
    expect(error.status).toBe(400);
  });

  it('should return undefined, text, or JSON without an envelope, depending on the answer', async () => {
    expect(await reader.get('/auth/verify/apikey')).toBeUndefined();
    expect(await reader.get('/feeds/rss.xml')).toContain('<rss');
    expect(await reader.get('/.well-known/jwks.json')).toHaveProperty('keys');
  });

  it('should follow a former slug', async () => {
    const id = ids[0] ?? '';
    const before = await reader.get('/blog/id/{id}', { path: { id } });
    await editor.put('/blog/author/id/{id}', { path: { id }, body: { slug: 'another-slug' } });
    await editor.put('/blog/author/submit/{id}', { path: { id } });
    await editor.put('/blog/editor/publish/id/{id}', { path: { id } });
    const found = await reader.get('/blog/slug/{slug}', { path: { slug: before.slug } });
    expect(found).toMatchObject({ _id: id, slug: 'another-slug' });
  });

  it('should return the warnings about fields that were not stored as sent', async () => {
    const { warnings } = await editor.request('POST', '/blog/author', {
      body: blogBody({ draftText: '<p>Text</p><iframe src="https://example.org"></iframe>' }),
    });
    expect(warnings).toEqual([{ field: 'draftText', message: expect.stringContaining('iframe') }]);
  });

  it('should not overwrite a blog that has changed since it was read', async () => {
    const { _id: id } = await editor.post('/blog/author', { body: blogBody() });
    const path = { id };
    const { etag } = await editor.request('GET', '/blog/author/id/{id}', { path });
    const edit = (title: string) =>
      editor.put('/blog/author/id/{id}', { path, body: { title }, ifMatch: etag });
    expect((await edit('The first edit')).title).toBe('The first edit');
    expect(await caught(edit('The second edit'))).toBeInstanceOf(StaleRevisionError);
  });

  it('should return a blog again only if it has changed', async () => {
    const path = { id: ids[2] ?? '' };
    const read = await reader.getIfChanged('/blog/id/{id}', undefined, { path });
    expect(read?.data._id).toBe(path.id);
    expect(await reader.getIfChanged('/blog/id/{id}', read?.etag, { path })).toBeUndefined();
    const other = await reader.getIfChanged('/blog/id/{id}', '"another"', { path });
    expect(other?.data).toEqual(read?.data);
  });

  it('should be those of the owner of a personal access token', async () => {
    const { token } = await editor.post('/auth/tokens', { body: { name: 'program', roles: [] } });
    const program = open({ token });
    expect(await program.get('/profile/mine')).toEqual(await editor.get('/profile/mine'));
  });

  describe('to a list', () => {
    const all = async <One>(items: AsyncIterable<One>): Promise<One[]> => {
      const collected: One[] = [];
      for await (const item of items) collected.push(item);
      return collected;
    };

    it('should follow the links of the list, with the same tag and order', async () => {
      const query = { limit: 3, order: 'oldest', total: true } as const;
      const listed = await all(reader.list('/blogs/tag/{tag}', { path: { tag: 'a&b' }, query }));
      expect(listed.map(({ _id }) => _id)).toEqual(ids);
      expect(proxy.requests.map(({ path }) => /cursor|total/.exec(path)?.[0])).toEqual([
        'total',
        'cursor',
        'cursor',
      ]);
    });

    it('should end after a full page without a link to another', async () => {
      const listed = await all(reader.list('/tags', { query: { limit: 1 } }));
      expect(listed.map(({ tag }) => tag)).toEqual(['a&b']);
      expect(proxy.requests).toHaveLength(1);
    });

    it('should increase the page number where the list has no links', async () => {
      const listed = await all(editor.list('/blog/editor/published', { query: { limit: 3 } }));
      expect(listed.map(({ _id }) => _id).sort()).toEqual(ids.toSorted());
      expect(proxy.requests).toHaveLength(4);
    });

    it('should not read a page before its items are needed', async () => {
      for await (const { _id } of reader.list('/blogs/latest', { query: { limit: 3 } })) {
        if (_id === ids.at(-2)) break;
      }
      expect(proxy.requests).toHaveLength(1);
    });

    it('should end when the signal is aborted', async () => {
      const controller = new AbortController();
      const list = reader.list('/blogs/latest', { query: { limit: 3 }, signal: controller.signal });
      await list.next();
      controller.abort(new Error('enough'));
      await expect(all(list)).rejects.toThrow('enough');
      expect(proxy.requests).toHaveLength(1);
    });
  });

  describe('that are refused', () => {
    it('should throw the error class of their status, with the refused fields', async () => {
      const body = { ...blogBody(), title: '' };
      const error = await caught(editor.post('/blog/author', { body }));
      expect(error).toBeInstanceOf(ValidationError);
      expect(error).toMatchObject({ name: 'ValidationError', status: 422, code: '10001' });
      expect(error.errors.map(({ field }) => field)).toContain('title');
      expect(error.message).toContain('title');
    });

    it('should throw an error with the request id of the response', async () => {
      const path = { id: '0'.repeat(24) };
      const error = await caught(reader.get('/blog/id/{id}', { path }));
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error.requestId).toMatch(/^[\w.-]+$/);
      expect(error.requestId).toBe(error.headers?.get('x-request-id'));
    });
  });

  describe('that fail', () => {
    const keys = () => proxy.requests.map(({ headers }) => headers['idempotency-key']);

    it.each([...REFUSALS, ...UNKNOWN])('should be repeated as GET after %s', async (_, fate) => {
      proxy.reset(fate);
      expect(await reader.get(LATEST)).toHaveLength(ARTICLES);
      expect(proxy.requests).toHaveLength(2);
    });

    it.each(UNKNOWN)('should not be repeated as POST without a key after %s', async (_, fate) => {
      proxy.reset(fate);
      const path = '/admin/webhooks/id/{id}/test';
      const call = reader.post(path, { path: { id: unknownId() } });
      await expect(call).rejects.toThrow(PressroomError);
      expect(proxy.requests).toHaveLength(1);
      expect(keys()).toEqual([undefined]);
    });

    it.each([...REFUSALS, ...UNKNOWN])(
      'should be repeated as POST with a key after %s, and create once',
      async (_, fate) => {
        const messages = server.db.collection('messages');
        const before = await messages.countDocuments();
        proxy.reset(fate);
        await reader.post(CONTACT, { body: MESSAGE });
        expect(new Set(keys()).size).toBe(1);
        expect(keys()).toHaveLength(2);
        expect(await messages.countDocuments()).toBe(before + 1);
      },
    );

    it('should keep their idempotency key after a refresh of the tokens', async () => {
      const author = await signedIn('AUTHOR');
      const { slug: _, ...body } = blogBody();
      const expired: Fate = {
        status: 401,
        headers: { instruction: 'refresh_token' },
        body: { code: '10003', status: 401, message: 'expired', reason: 'access_token_expired' },
      };
      proxy.reset('lose answer', expired);
      const { _id } = await author.post('/blog/author', { body });
      const sent = proxy.to('/blog/author').map(({ headers }) => headers['idempotency-key']);
      expect([sent.length, new Set(sent).size]).toEqual([3, 1]);
      const stored = await server.db.collection('blogs').find({ title: body.title }).toArray();
      expect(stored.map((blog) => String(blog._id))).toEqual([_id]);
    });

    it('should each have a new idempotency key, or the given one', async () => {
      await reader.post(CONTACT, { body: MESSAGE });
      await reader.post(CONTACT, { body: MESSAGE });
      await reader.post(CONTACT, { body: MESSAGE, idempotencyKey: 'mine' });
      expect(new Set(keys()).size).toBe(3);
      expect(keys()[2]).toBe('mine');
      expect(keys()[0]).toMatch(/^[\w-]{16,64}$/);
    });

    it('should have an idempotency key although there is no randomUUID', async () => {
      const crypto = jest.spyOn(globalThis, 'crypto', 'get').mockReturnValue(undefined as never);
      try {
        await reader.post(CONTACT, { body: MESSAGE });
        await reader.post(CONTACT, { body: MESSAGE });
      } finally {
        crypto.mockRestore();
      }
      expect(new Set(keys()).size).toBe(2);
      expect(keys()[0]).toMatch(/^[\w-]{16,64}$/);
    });

    it('should not be repeated after a 500', async () => {
      proxy.reset({ status: 500, body: { code: '10001', message: 'a defect' } });
      await expect(reader.get(LATEST)).rejects.toThrow('a defect');
      expect(proxy.requests).toHaveLength(1);
    });

    it('should be repeated after the seconds of Retry-After', async () => {
      proxy.reset(refused(429, 'rate_limited', 1));
      const startedAt = performance.now();
      await reader.get(LATEST);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    });

    it('should not be repeated if Retry-After exceeds the longest wait', async () => {
      proxy.reset(refused(429, 'rate_limited', 31));
      const error = await caught(reader.get(LATEST));
      expect(error).toBeInstanceOf(TemporaryError);
      expect(error).toMatchObject({ retryAfter: 31, reason: 'rate_limited', attempts: 1 });
    });

    it('should read a date in Retry-After, as proxies write it', async () => {
      const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
      proxy.reset({ status: 503, headers: { 'retry-after': inAnHour } });
      const error = await caught(reader.get(LATEST));
      expect((error as TemporaryError).retryAfter).toBeGreaterThan(3_500);
    });

    it('should be repeated at most `retries` times, with growing pauses', async () => {
      proxy.reset('lose request', 'lose request', 'lose request');
      const startedAt = performance.now();
      const error = await caught(open({ retries: 2 }).get(LATEST));
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        status: 0,
        attempts: 3,
        message: expect.stringMatching(/^GET http:.* was not answered: \S/),
      });
      expect(proxy.requests).toHaveLength(3);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(125 + 250);
    });

    it('should be repeated when they are not answered in time', async () => {
      proxy.reset('never answer');
      expect(await open({ timeoutMs: 1_000 }).get(LATEST)).toHaveLength(ARTICLES);
      expect(proxy.requests).toHaveLength(2);
    });

    it.each([
      ['before the request is sent', 'pass', 0],
      ['while the server is silent', 'never answer', 1],
      ['while the client waits', refused(503, 'overloaded', 20), 1],
    ] as const)('should end when the signal is aborted %s', async (_, fate, requests) => {
      const controller = new AbortController();
      proxy.reset(fate);
      if (requests === 0) controller.abort();
      const call = reader.get(LATEST, { signal: controller.signal });
      call.catch(() => undefined);
      await until('the request to be sent', () => proxy.requests.length === requests, 10_000, 1);
      controller.abort();
      await expect(call).rejects.toMatchObject({ name: 'AbortError' });
      expect(proxy.requests).toHaveLength(requests);
    });
  });
});
