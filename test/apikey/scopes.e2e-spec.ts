import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  bitsOf,
  opens,
  SCOPE_NAMES,
  scopesIn,
  type KeyScope,
} from '../../src/platform/http/access/key-scopes/key-scope.js';
import { CacheCoherenceService } from '../../src/platform/caching/cache-coherence.service.js';
import { RESPONSES } from '../../src/platform/caching/response-cache/response-cache.js';
import { forAll } from '../access/ask.js';
import { pathTo } from '../routes/calls.js';
import { API_ROUTES, withHead, type Route } from '../routes/routes.js';
import type { Client } from '../support/client.js';
import { blogIn, person, unique, unknownId, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { holdClock, HOUR } from '../support/time/clock.js';
import { until } from '../support/time/wait.js';

const ROUTES = withHead(API_ROUTES.filter(({ access }) => access.apiKey));
/** A request to any other route with a valid token would do something. */
const READS = ROUTES.filter(({ method, access }) => method === 'GET' && access.roles.length === 0);

describe('the scopes of an API key', () => {
  let server: TestApp;
  let admin: Person;
  let live: string;

  beforeAll(async () => {
    server = await startApp();
    admin = await person(server, 'ADMIN');
    live = (await blogIn('live', await person(server, 'AUTHOR'), await person(server, 'EDITOR')))
      ._id;
  });

  const clientWith = async (...scopes: readonly KeyScope[]): Promise<Client> => {
    const { body } = await admin.client.post<{ key: string }>('/admin/apikeys', { scopes });
    return server.client.with({ 'x-api-key': body.data.key });
  };
  const scopesOf = async (client: Client): Promise<string | null> =>
    (await client.get('/auth/verify/apikey')).headers.get('x-api-key-scopes');
  /** Returns the routes that refuse the client's key, because it lacks their scopes. */
  const refusedBy = async (client: Client, routes: readonly Route[]): Promise<string[]> => {
    const refused: string[] = [];
    await forAll(routes, async (route) => {
      // A stream ends after this time.
      const query = route.path.endsWith('/stream') ? '?seconds=1' : '';
      const path = `${pathTo(route, unknownId())}${query}`;
      const { status, body } = await client.request(route.method, path);
      // The answer to a HEAD has no body. Only its scopes can be why a key without a token gets 403.
      if (route.method === 'HEAD' ? status !== 403 : body?.reason !== 'api_key_scope') return;
      const [scope] = scopesIn(route.access.scopes);
      const message = `permission denied: the API key lacks the scope ${scope}`;
      if (body !== undefined) expect(body).toMatchObject({ code: '10001', status: 403, message });
      refused.push(route.route);
    });
    return refused.sort();
  };
  const namesOf = (routes: readonly Route[]): string[] => routes.map(({ route }) => route).sort();

  it.each(SCOPE_NAMES)('should open exactly the routes of the scope %s', async (scope) => {
    const client = await clientWith(scope);
    const closed = ROUTES.filter(({ access }) => !opens(bitsOf([scope]), access.scopes));
    expect(closed.length).toBeGreaterThan(0);
    expect(await refusedBy(client, ROUTES)).toEqual(namesOf(closed));
    expect(await scopesOf(client)).toBe(scope);
  });

  it('should open the routes of each of several scopes', async () => {
    const client = await clientWith('feeds', 'read', 'search');
    expect(await scopesOf(client)).toBe('read,search,feeds');
    const bits = bitsOf(['read', 'search', 'feeds']);
    const closed = ROUTES.filter(({ access }) => !opens(bits, access.scopes));
    expect(await refusedBy(client, ROUTES)).toEqual(namesOf(closed));
  });

  it('should be all for a key without restriction', async () => {
    expect(await scopesOf(server.client)).toBe(SCOPE_NAMES.join(','));
    expect(await refusedBy(server.client, ROUTES)).toEqual([]);
  });

  it.each([
    ['an unknown name', ['fly'], ''],
    ['an unknown name beside a known one', ['fly', 'read'], 'read'],
    ['an empty list', [], ''],
    ['a text', 'read', ''],
    ['an object', { read: true }, ''],
    ['null', null, ''],
  ])('should grant nothing by %s that was stored by hand', async (_, scopes, granted) => {
    const key = unique('by-hand');
    await server.db.collection('api_keys').insertOne({ key, status: true, scopes });
    const client = server.client.with({ 'x-api-key': key });
    expect(await scopesOf(client)).toBe(granted);
    expect((await client.get('/tags')).status).toBe(granted === 'read' ? 200 : 403);
    const { body } = await admin.client.get('/admin/apikeys');
    expect(body.data).toContainEqual(
      expect.objectContaining({
        prefix: 'by-hand-',
        scopes: granted === '' ? [] : [granted],
      }),
    );
  });

  it('should be those of now, as soon as an admin has changed them', async () => {
    const { body } = await admin.client.post('/admin/apikeys', { scopes: ['read'] });
    const { _id, key } = body.data as { readonly _id: string; readonly key: string };
    const client = server.client.with({ 'x-api-key': key });
    const statuses: number[] = [];
    for (const scopes of [['search'], ['search', 'read'], ['search'], null]) {
      await client.get('/tags');
      await admin.client.put(`/admin/apikeys/id/${_id}`, { scopes });
      statuses.push((await client.get('/tags')).status);
    }
    expect(statuses).toEqual([403, 200, 403, 200]);
  });

  it('should be needed also for what the response cache could repeat', async () => {
    const path = `/blog/id/${live}`;
    const client = await clientWith('search');
    const { caches } = server.app.get(CacheCoherenceService);
    const hits = (): number => caches.find(({ name }) => name === RESPONSES)?.hits ?? 0;
    const before = hits();
    let tag = '';
    await until('the response cache to answer', async () => {
      tag = (await server.client.get(path)).headers.get('etag') ?? '';
      return hits() > before;
    });
    const now = hits();
    for (const method of ['GET', 'HEAD']) {
      for (const headers of [{}, { 'if-none-match': tag }, { 'if-none-match': '*' }]) {
        expect((await client.request(method, path, { headers })).status).toBe(403);
      }
    }
    expect(hits()).toBe(now);
    const headers = { 'if-none-match': tag };
    expect((await server.client.get(path, { headers })).status).toBe(304);
  });

  describe('with desk', () => {
    let desk: Client;
    let reader: Person;

    beforeAll(async () => {
      desk = await clientWith('desk');
      reader = await person(server);
    });

    it('should open every route to whoever is signed in', async () => {
      expect(await refusedBy(desk.as(reader.accessToken), READS)).toEqual([]);
      const contact = { type: 'feedback', msg: 'Hello' };
      expect((await desk.as(reader.accessToken).post('/contact', contact)).status).toBe(200);
    });

    it.each([
      ['no token', () => null],
      ['a forged token', () => `${reader.accessToken.slice(0, -5)}AAAAA`],
    ])('should open no public read with %s', async (_, token) => {
      const { status, body } = await desk.as(token()).get(`/blog/id/${live}`);
      expect([status, body.reason]).toEqual([403, 'api_key_scope']);
    });

    it('should open no public read after the sign-out', async () => {
      const { client, accessToken } = await person(server);
      expect((await desk.as(accessToken).get(`/blog/id/${live}`)).status).toBe(200);
      await client.delete('/auth/signout');
      const { status, body } = await desk.as(accessToken).get(`/blog/id/${live}`);
      expect([status, body.reason]).toEqual([403, 'api_key_scope']);
    });

    it('should ask for a refresh of an expired token', async () => {
      const clock = holdClock(server.app, Date.now() - HOUR);
      const { accessToken } = await person(server);
      clock.release();
      const { status, headers, body } = await desk.as(accessToken).get(`/blog/id/${live}`);
      expect([status, body.reason]).toEqual([401, 'access_token_expired']);
      expect(headers.get('instruction')).toBe('refresh_token');
    });

    it('should not make others signed in: a key without desk gains nothing by a token', async () => {
      const client = (await clientWith('search')).as(reader.accessToken);
      expect((await client.get('/tags')).status).toBe(403);
    });
  });
});
