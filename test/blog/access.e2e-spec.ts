import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/common/clock.js';
import type { Answer, Client } from '../support/client.js';
import { blogBody, blogIn, person, signIn, unknownId, type Person } from '../support/factories.js';
import { openNewsroom, type Newsroom } from './newsroom.js';

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{id}` stands for the id of a blog. */
  readonly path: string;
  readonly body?: 'blog' | 'named blog';
}

const AUTHOR_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/blog/author', body: 'blog' },
  { method: 'PUT', path: '/blog/author', body: 'named blog' },
  { method: 'PUT', path: '/blog/author/id/{id}', body: 'blog' },
  { method: 'DELETE', path: '/blog/author/id/{id}' },
  { method: 'GET', path: '/blog/author/id/{id}' },
  { method: 'PUT', path: '/blog/author/submit/{id}' },
  { method: 'PUT', path: '/blog/author/submit/id/{id}' },
  { method: 'PUT', path: '/blog/author/withdraw/{id}' },
  { method: 'PUT', path: '/blog/author/withdraw/id/{id}' },
  { method: 'PUT', path: '/blog/author/discard/{id}' },
  { method: 'GET', path: '/blog/author/drafts' },
  { method: 'GET', path: '/blog/author/submitted' },
  { method: 'GET', path: '/blog/author/published' },
];

const EDITOR_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/blog/editor/id/{id}' },
  { method: 'PUT', path: '/blog/editor/publish/id/{id}' },
  { method: 'PUT', path: '/blog/editor/unpublish/id/{id}' },
  { method: 'GET', path: '/blog/editor/submitted' },
  { method: 'GET', path: '/blog/editor/published' },
];

const PUBLIC_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/blog/id/{id}' },
  { method: 'GET', path: '/blog/slug/some-slug' },
  { method: 'GET', path: '/blogs/latest' },
  { method: 'GET', path: '/blogs/tag/some-tag' },
  { method: 'GET', path: '/blogs/similar/id/{id}' },
  { method: 'GET', path: '/blog/list/latest' },
];

const DESK_ROUTES = [...AUTHOR_ROUTES, ...EDITOR_ROUTES];
const ROUTES = [...DESK_ROUTES, ...PUBLIC_ROUTES];

const titled = (routes: readonly Route[]): [string, Route][] =>
  routes.map((route) => [`${route.method} ${route.path}`, route]);
const ofOneBlog = (routes: readonly Route[]): readonly Route[] =>
  routes.filter(({ path, body }) => path.includes('{id}') || body === 'named blog');

describe('access to the blog endpoints', () => {
  let newsroom: Newsroom;
  let admin: Person;
  let learner: Person;
  let expired: Client;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    admin = await person(newsroom, 'ADMIN');
    learner = await person(newsroom);
    expired = await signInAnHourAgo(admin.email);
  });

  afterAll(() => newsroom.close());

  /** The access token of that session ran out three quarters of an hour ago. */
  async function signInAnHourAgo(email: string): Promise<Client> {
    const clock = newsroom.app.get(Clock);
    clock.now = () => new Date(Date.now() - 3_600_000);
    try {
      return (await signIn(newsroom.client, email)).client;
    } finally {
      clock.now = () => new Date();
    }
  }

  function call(
    client: Client,
    { method, path, body }: Route,
    id = unknownId(),
  ): Promise<Answer<unknown>> {
    const named = body === 'named blog' ? { _id: id } : {};
    return client.request(method, path.replace('{id}', id), {
      ...(body === undefined ? {} : { body: { ...blogBody(), ...named } }),
    });
  }

  function rightful({ path }: Route): Client {
    if (path.startsWith('/blog/author')) return newsroom.author.client;
    if (path.startsWith('/blog/editor')) return newsroom.editor.client;
    return newsroom.client;
  }

  async function expectRefusal(
    answer: Promise<Answer<unknown>>,
    status: number,
    code: string,
    message: string,
  ): Promise<Headers> {
    const { body, headers, status: actual } = await answer;
    expect(body).toEqual({ code, status, message });
    expect(actual).toBe(status);
    return headers;
  }

  describe.each(titled(ROUTES))('%s', (_title, route) => {
    it('should refuse a request without an API key', async () => {
      const client = rightful(route).with({ 'x-api-key': null });
      const message = 'permission denied: missing x-api-key header';
      await expectRefusal(call(client, route), 401, '10001', message);
    });

    it('should refuse an unknown API key', async () => {
      const client = rightful(route).with({ 'x-api-key': 'a-key-of-nobody' });
      await expectRefusal(
        call(client, route),
        403,
        '10001',
        'permission denied: invalid x-api-key',
      );
    });
  });

  describe.each(titled(DESK_ROUTES))('%s', (_title, route) => {
    it('should refuse a request without an access token', async () => {
      const headers = await expectRefusal(
        call(newsroom.client, route),
        401,
        '10003',
        'missing access token: send it as "Authorization: Bearer <token>"',
      );
      expect(headers.get('instruction')).toBeNull();
    });

    it.each([
      ['that is no JWT', () => 'not-a-token'],
      [
        'with a foreign signature',
        () => `${newsroom.author.accessToken.slice(0, -20)}${'A'.repeat(20)}`,
      ],
    ])('should refuse an access token %s', async (_what, token) => {
      const client = newsroom.client.as(token());
      await expectRefusal(call(client, route), 401, '10003', 'invalid access token');
    });

    it('should refuse an expired access token and say that a refresh helps', async () => {
      const headers = await expectRefusal(
        call(expired, route),
        401,
        '10003',
        'access token has expired',
      );
      expect(headers.get('instruction')).toBe('refresh_token');
    });

    it.each(['learner', 'admin', 'the other desk'] as const)(
      'should refuse %s, because roles are exact',
      async (who) => {
        const { author, editor } = newsroom;
        const stranger = route.path.startsWith('/blog/author') ? editor : author;
        const { client } = { learner, admin, 'the other desk': stranger }[who];
        const message = 'permission denied: does not have sufficient role';
        await expectRefusal(call(client, route), 403, '10001', message);
      },
    );

    it('should forbid caches to keep the answer', async () => {
      const { method, path } = route;
      const { headers } = await call(rightful(route), { method, path });
      expect(headers.get('cache-control')).toBe('no-store');
    });
  });

  describe.each(titled(ofOneBlog(ROUTES)))('%s', (_title, route) => {
    it('should not find an unknown blog', async () => {
      await expectRefusal(call(rightful(route), route), 404, '10001', 'blog not found');
    });

    it('should find the same route behind a trailing slash, without a redirect', async () => {
      const slashed = { ...route, path: `${route.path}/` };
      await expectRefusal(call(rightful(route), slashed), 404, '10001', 'blog not found');
    });
  });

  const withIdInPath = ofOneBlog(ROUTES).filter(({ path }) => path.includes('{id}'));
  describe.each(titled(withIdInPath))('%s', (_title, route) => {
    it.each(['1', 'z'.repeat(24), 'a'.repeat(23), 'a'.repeat(25), '%24ne', '[object Object]'])(
      'should refuse the malformed id %s',
      async (id) => {
        const message = 'id must be 24 hexadecimal characters';
        await expectRefusal(call(rightful(route), route, id), 400, '10001', message);
      },
    );
  });

  const lists = ROUTES.filter(({ path }) => /latest|tag|drafts|submitted|published/.test(path));
  describe.each(titled(lists))('%s', (_title, route) => {
    it('should answer an empty list, with and without a trailing slash', async () => {
      for (const path of [route.path, `${route.path}/`]) {
        const { body } = await call(rightful(route), { ...route, path });
        expect(body).toEqual({ code: '10000', status: 200, message: 'success', data: [] });
      }
    });
  });

  it('should create and edit behind a trailing slash', async () => {
    const { author } = newsroom;
    const created = await author.client.post('/blog/author/', blogBody());
    expect(created.body.message).toBe('blog created successfully');
    const { _id } = created.body.data;
    const edited = await author.client.put('/blog/author/', { _id, title: 'Named in the body' });
    expect(edited.body.message).toBe('blog updated successfully');
    expect(edited.body.data).toMatchObject({ _id, title: 'Named in the body' });
    const deleted = await author.client.delete(`/blog/author/id/${_id}/`);
    expect(deleted.body.message).toBe('blog deleted successfully');
  });

  it('should check key, token, role, path, body and ownership in this order', async () => {
    const { author, other, editor, client } = newsroom;
    const { _id } = await blogIn('in review', author, editor);
    const path = (id: string): string => `/blog/author/id/${id}`;
    const bad = { title: 1 };
    const statusOf = async (of: Client, id: string, body: object): Promise<number> =>
      (await of.put(path(id), body)).status;
    const keyless = client.with({ 'x-api-key': null });
    expect(await statusOf(keyless.as('nonsense'), 'no-id', bad)).toBe(401);
    expect((await keyless.put(path('no-id'), bad)).body.code).toBe('10001');
    expect((await client.as('nonsense').put(path('no-id'), bad)).body.code).toBe('10003');
    expect(await statusOf(learner.client, 'no-id', bad)).toBe(403);
    expect(await statusOf(author.client, 'no-id', bad)).toBe(400);
    expect(await statusOf(author.client, 'no-id', [])).toBe(400);
    expect(await statusOf(other.client, _id, bad)).toBe(422);
    expect(await statusOf(other.client, _id, {})).toBe(404);
    expect(await statusOf(author.client, _id, {})).toBe(400);
  });

  it('should let public reads ignore an access token, good or bad', async () => {
    const { author, editor, client } = newsroom;
    const { _id } = await blogIn('live', author, editor);
    for (const token of ['nonsense', author.accessToken]) {
      const { status } = await client.as(token).get(`/blog/id/${_id}`);
      expect(status).toBe(200);
    }
  });

  it.each([
    ['/blog/author', 'POST, PUT'],
    ['/blog/author/id/{id}', 'DELETE, GET, HEAD, PUT'],
    ['/blog/author/submit/{id}', 'PUT'],
    ['/blog/editor/publish/id/{id}', 'PUT'],
    ['/blog/id/{id}', 'GET, HEAD'],
    ['/blogs/latest', 'GET, HEAD'],
  ])('should name the methods of %s to one that it lacks', async (path, allow) => {
    const answer = await newsroom.author.client.request('PATCH', path.replace('{id}', unknownId()));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
  });
});
