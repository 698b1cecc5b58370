import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createClient,
  NotFoundError,
  StaleRevisionError,
  UnauthorizedError,
  ValidationError,
  type PressroomClient,
  type PressroomError,
} from '../../client/src/index.ts';
import { account, blogBody, PASSWORD } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { Proxy } from './proxy.js';

const ARTICLES = 7;

describe('the calls of a client', () => {
  let server: TestApp;
  let proxy: Proxy;
  let reader: PressroomClient;
  let editor: PressroomClient;
  /** The ids, the oldest first. */
  const ids: string[] = [];

  const open = (): PressroomClient => createClient({ url: `${proxy.url}/`, apiKey: API_KEY });
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

  beforeEach(() => proxy.expect());

  it('should answer with the data', async () => {
    const [newest] = await reader.get('/blogs/latest', { query: { limit: 1 } });
    expect(newest?._id).toBe(ids.at(-1));
    expect(proxy.requests[0]?.path).toBe('/blogs/latest?limit=1');
  });

  it('should send no parameter that is undefined', async () => {
    await reader.get('/blogs/latest', {
      query: { limit: undefined as unknown as number, page: 1 },
    });
    expect(proxy.requests[0]?.path).toBe('/blogs/latest?page=1');
  });

  it('should write what stands in a path so that it stays one part of it', async () => {
    const [first] = await reader.get('/blogs/tag/{tag}', { path: { tag: 'a&b' } });
    expect(first?.tags).toEqual(['a&b']);
    const error = await caught(reader.get('/blog/id/{id}', { path: { id: '../latest' } }));
    expect(error.status).toBe(400);
  });

  it('should answer with nothing where the server does', async () => {
    expect(await reader.get('/auth/verify/apikey')).toBeUndefined();
  });

  it('should answer with the text of a feed, and with JSON that has no envelope', async () => {
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

  it('should tell what was not stored as it was sent', async () => {
    const { warnings } = await editor.request('POST', '/blog/author', {
      body: blogBody({ draftText: '<p>Text</p><iframe src="https://example.org"></iframe>' }),
    });
    expect(warnings).toEqual([{ field: 'draftText', message: expect.stringContaining('iframe') }]);
  });

  it('should write only what has not changed since it was read', async () => {
    const { _id: id } = await editor.post('/blog/author', { body: blogBody() });
    const path = { id };
    const { etag } = await editor.request('GET', '/blog/author/id/{id}', { path });
    const edit = (title: string) =>
      editor.put('/blog/author/id/{id}', { path, body: { title }, ifMatch: etag });
    expect((await edit('The first edit')).title).toBe('The first edit');
    expect(await caught(edit('The second edit'))).toBeInstanceOf(StaleRevisionError);
  });

  it('should read again only what has changed', async () => {
    const path = { id: ids[2] ?? '' };
    const read = await reader.getIfChanged('/blog/id/{id}', undefined, { path });
    expect(read?.data._id).toBe(path.id);
    expect(await reader.getIfChanged('/blog/id/{id}', read?.etag, { path })).toBeUndefined();
    const other = await reader.getIfChanged('/blog/id/{id}', '"another"', { path });
    expect(other?.data).toEqual(read?.data);
  });

  describe('to a list', () => {
    const all = async <One>(items: AsyncIterable<One>): Promise<One[]> => {
      const collected: One[] = [];
      for await (const item of items) collected.push(item);
      return collected;
    };

    it('should follow its links, and repeat what was selected', async () => {
      const query = { limit: 3, order: 'oldest', total: true } as const;
      const listed = await all(reader.list('/blogs/tag/{tag}', { path: { tag: 'a&b' }, query }));
      expect(listed.map(({ _id }) => _id)).toEqual(ids);
      expect(proxy.requests.map(({ path }) => /cursor|total/.exec(path)?.[0])).toEqual([
        'total',
        'cursor',
        'cursor',
      ]);
    });

    it('should end with a page that is full', async () => {
      const listed = await all(reader.list('/tags', { query: { limit: 1 } }));
      expect(listed.map(({ tag }) => tag)).toEqual(['a&b']);
      expect(proxy.requests).toHaveLength(1);
    });

    it('should count pages where there are no links', async () => {
      const listed = await all(editor.list('/blog/editor/published', { query: { limit: 3 } }));
      expect(listed.map(({ _id }) => _id).sort()).toEqual(ids.toSorted());
      expect(proxy.requests).toHaveLength(4);
    });

    it('should read no page that nobody asks for', async () => {
      for await (const { _id } of reader.list('/blogs/latest', { query: { limit: 3 } })) {
        if (_id === ids.at(-2)) break;
      }
      expect(proxy.requests).toHaveLength(1);
    });

    it('should end with its signal', async () => {
      const giveUp = new AbortController();
      const list = reader.list('/blogs/latest', { query: { limit: 3 }, signal: giveUp.signal });
      await list.next();
      giveUp.abort(new Error('enough'));
      await expect(all(list)).rejects.toThrow('enough');
      expect(proxy.requests).toHaveLength(1);
    });
  });

  describe('that are refused', () => {
    it('should throw a class of their status, with the fields of the body', async () => {
      const body = { ...blogBody(), title: '' };
      const error = await caught(editor.post('/blog/author', { body }));
      expect(error).toBeInstanceOf(ValidationError);
      expect(error).toMatchObject({ name: 'ValidationError', status: 422, code: '10001' });
      expect(error.errors.map(({ field }) => field)).toContain('title');
      expect(error.message).toContain('title');
    });

    it('should name the request in the log', async () => {
      const path = { id: '0'.repeat(24) };
      const error = await caught(reader.get('/blog/id/{id}', { path }));
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error.requestId).toMatch(/^[\w.-]+$/);
      expect(error.requestId).toBe(error.headers?.get('x-request-id'));
    });

    it('should say why', async () => {
      const reason = 'slug_taken';
      proxy.expect({ status: 400, body: { code: '10001', message: 'taken', reason } });
      const error = await caught(editor.post('/blog/author', { body: blogBody() }));
      expect(error).toMatchObject({ reason, message: 'taken', code: '10001' });
    });

    it('should need a token, a role and a key', async () => {
      expect(await caught(reader.get('/profile/mine'))).toBeInstanceOf(UnauthorizedError);
      expect(await caught(editor.get('/admin/users'))).toMatchObject({ status: 403 });
      const stranger = createClient({ url: server.url, apiKey: 'none of theirs' });
      expect(await caught(stranger.get('/blogs/latest'))).toMatchObject({ status: 403 });
    });
  });
});
