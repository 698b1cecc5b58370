import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CacheCoherenceService } from '../../../../src/platform/caching/cache-coherence.service.js';
import { untilServing } from '../../caching/support/barriers.js';
import { cachedBlog, openFixture, takeDown, type Fixture } from '../../caching/support/fixture.js';
import type { Answer, Client } from '../../../support/client.js';
import { blogBody, blogIn, PASSWORD, type BlogInState } from '../../../support/factories.js';
import { OwnMongo } from '../../../support/mongo/own-mongo.js';
import { until } from '../../../support/time/wait.js';

const TIMEOUT_MS = 120_000;

/** Each request must be answered within this time, whatever the database does. */
const MAX_MS = 6_000;

interface TimedAnswer extends Answer<unknown> {
  readonly ms: number;
}

async function ask(client: Client, method: string, path: string, body?: unknown) {
  const started = performance.now();
  const answer = await client.request<unknown>(method, path, { body });
  return { ...answer, ms: performance.now() - started } satisfies TimedAnswer;
}

const untilLeaseEnds = ({ app }: Fixture) =>
  until('the lease to end', () => !app.get(CacheCoherenceService).isServing());

describe('a database that hangs', () => {
  let mongod: OwnMongo;
  let server: Fixture;
  const answers = new Map<string, TimedAnswer>();
  let draft: BlogInState;
  const edit = blogBody();
  let article: BlogInState;

  beforeAll(async () => {
    mongod = await OwnMongo.create();
    server = await openFixture({ uri: mongod.uri('hanging') });
    article = await cachedBlog(server);
    draft = await blogIn('draft', server.author, server.editor);
    const { client, author } = server;
    await mongod.suspend();
    await untilLeaseEnds(server);
    const { email } = author;
    const requests = [
      [client, 'GET', `/blog/id/${article._id}`],
      [client, 'GET', '/blogs/latest'],
      [client, 'GET', '/blogs/latest?total=true'],
      [client, 'GET', `/blogs/similar/id/${article._id}`],
      [author.client, 'GET', '/profile/mine'],
      [client, 'GET', '/health/ready'],
      [author.client, 'PUT', `/blog/author/id/${draft._id}`, { title: edit.title }],
      [client, 'POST', '/auth/signin/basic', { email, password: PASSWORD }],
      [client, 'POST', '/contact', { type: 'feedback', msg: 'once' }],
      [
        author.client,
        'PUT',
        '/auth/password',
        { currentPassword: 'x', newPassword: 'four candles' },
      ],
    ] as const;
    const observations = requests.map(async ([who, method, path, body]) => {
      const name = `${method} ${path.replace(/[0-9a-f]{24}/, '{id}')}`;
      answers.set(name, await ask(who, method, path, body));
    });
    await Promise.all(observations);
  }, TIMEOUT_MS);

  afterAll(async () => {
    mongod.resume();
    await server.close();
    await mongod.remove();
  }, TIMEOUT_MS);

  /** Expects a timely 503 for a request of `beforeAll`. @returns its message */
  function expectRefusal(name: string): string | undefined {
    const answer = answers.get(name);
    expect(answer?.status).toBe(503);
    expect(answer?.body.code).toBe('10002');
    expect(answer?.headers.get('retry-after')).toBe('1');
    expect(answer?.ms).toBeLessThan(MAX_MS);
    return answer?.body.message;
  }

  it.each([
    ['GET /blog/id/{id}'],
    ['GET /blogs/latest'],
    ['GET /blogs/latest?total=true'],
    ['GET /blogs/similar/id/{id}'],
    ['GET /profile/mine'],
    ['GET /health/ready'],
  ])('should cause 503, without "may have happened", for %s within 6 s', (name) => {
    expect(expectRefusal(name)).not.toContain('may have happened');
  });

  it.each([
    ['PUT /blog/author/id/{id}'],
    ['POST /auth/signin/basic'],
    ['POST /contact'],
    ['PUT /auth/password'],
  ])('should cause 503, with "may have happened", for %s within 6 s', (name) => {
    expect(expectRefusal(name)).toContain('it may have happened: read before you repeat it');
  });

  it(
    'should have stored the edit and the message at most once, and serve again, when it responds again',
    async () => {
      mongod.resume();
      const { author, client, db } = server;
      await until('reads', async () => (await client.get('/blogs/latest')).status === 200);
      expect((await client.get(`/blog/id/${article._id}`)).status).toBe(200);
      const body = { email: author.email, password: PASSWORD };
      const signsIn = async () => (await client.post('/auth/signin/basic', body)).status === 200;
      await until('sign-ins', signsIn);
      const read = await author.client.get<{ title: string }>(`/blog/author/id/${draft._id}`);
      const revision = `${read.headers.get('etag')} ${read.body.data.title}`;
      expect([`"1" ${draft.body.title}`, `"2" ${edit.title}`]).toContain(revision);
      const stored = await db.collection('messages').countDocuments({ msg: 'once' });
      expect([0, 1]).toContain(stored);
      expect((await client.post('/contact', { type: 'feedback', msg: 'again' })).status).toBe(200);
      await untilServing(server.app);
    },
    TIMEOUT_MS,
  );

  it(
    'should be followed by the change stream again after it was stopped and started',
    async () => {
      const { client, db, app } = server;
      const status = async () => (await client.get(`/blog/id/${article._id}`)).status;
      expect(await status()).toBe(200);
      await mongod.stop();
      await untilLeaseEnds(server);
      await mongod.start();
      await until('a primary', async () => (await status()) === 200);
      await takeDown(db, article._id);
      await until('the change', async () => (await status()) === 404);
      await untilServing(app);
      expect(await status()).toBe(404);
    },
    TIMEOUT_MS,
  );
});
