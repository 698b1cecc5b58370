import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogBody, blogIn, unknownId } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { callerOf, firstTarget, openFixture, pathTo, validBody, validQuery } from './calls.js';
import type { Fixture } from './row.js';
import { SERVED_ROUTES } from './routes.js';

const ignored = (name: string, advice = '') => ({
  field: name,
  message: `${name} is unknown here and was ignored${advice}`,
});

describe('Names that a route does not know', () => {
  let server: TestApp;
  let fixture: Fixture;

  beforeAll(async () => {
    server = await startApp({ env: { SITE_URL: 'https://site.example' } });
    fixture = await openFixture(server);
  });

  const inEnvelope = SERVED_ROUTES.filter(({ endpoint: { raw, document } }) => !raw && !document);

  it.each(inEnvelope)('should be named in the warnings of $route alone', async (route) => {
    const target = await firstTarget(route, fixture);
    const call = { people: fixture, caller: await callerOf(fixture, route), target };
    const client = call.caller?.client ?? server.client;
    const send = async (parameter: string, extra: object) => {
      const body = { ...validBody(route, call), ...extra };
      const options = Object.keys(body).length === 0 ? {} : { body };
      const query = validQuery(route, call);
      const path = `${pathTo(route, target)}${query}${query ? '&' : '?'}${parameter}`;
      const { headers = {} } = route;
      return (await client.request(route.method, path, { ...options, headers })).body;
    };
    const takesBody = route.method !== 'GET';
    const extra = takesBody ? { zzzz: { a: 1 }, __v: 0, id: 1 } : {};
    const { status, warnings = [] } = await send('qqqq=1', extra);
    // The user of the sign-in may have 20 sessions already, of which it ends one.
    const named = warnings.filter(({ field }) => field !== 'sessions');
    expect([status, named]).toEqual([
      200,
      [ignored('qqqq'), ...(takesBody ? [ignored('zzzz')] : [])],
    ]);
  });

  it('should not be found in a view that is sent back whole', async () => {
    const { AUTHOR, EDITOR } = fixture.people;
    const { _id } = await blogIn('live in review', AUTHOR, EDITOR);
    await EDITOR.client.put(`/blog/editor/return/id/${_id}`, { note: 'Shorter.' });
    const path = `/blog/author/id/${_id}`;
    const view = (await AUTHOR.client.get(path)).body.data;
    expect(view).toHaveProperty('returned');
    const { body } = await AUTHOR.client.put(path, { ...view, title: 'Another title' });
    expect(body).not.toHaveProperty('warnings');
    expect(body.data.title).toBe('Another title');
  });

  it.each([
    ['tag', ': did you mean tags?'],
    ['Title', ': did you mean title?'],
    ['imageUrl', ': did you mean imgUrl?'],
    ['covers', ': did you mean cover?'],
    ['img_url', ': did you mean imgUrl?'],
    ['drafttext', ': did you mean draftText?'],
    ['status', ''],
    ['authorId', ''],
  ])('should be compared with those that it knows: %s', async (name, advice) => {
    const { AUTHOR } = fixture.people;
    const { body } = await AUTHOR.client.post('/blog/author', { ...blogBody(), [name]: 'x' });
    expect(body.warnings).toEqual([ignored(name, advice)]);
  });

  it('should make at most ten warnings, with those of the cleaned text, and shorten long names', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`${i}${'n'.repeat(99)}`, 1]),
    );
    const draftText = '<p>Text.</p><script>steal()</script>';
    const { AUTHOR } = fixture.people;
    const { body } = await AUTHOR.client.post('/blog/author', {
      ...blogBody(),
      draftText,
      ...many,
    });
    expect(body.warnings).toHaveLength(10);
    expect(body.warnings?.[0]?.field).toBe('draftText');
    expect(body.warnings?.[9]?.field).toHaveLength(50);
  });

  it('should change no cached answer', async () => {
    const get = (path: string) => server.client.get(path);
    const path = `/blogs/latest?limit=7`;
    const plain = (await get(path)).text;
    expect((await get(`${path}&pageSize=5`)).body.warnings).toEqual([ignored('pageSize')]);
    expect((await get(path)).text).toBe(plain);
  });

  it('should not be named in a refusal', async () => {
    const answer = await server.client.get(`/blog/id/${unknownId()}?qqqq=1`);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toHaveProperty('warnings');
  });
});
