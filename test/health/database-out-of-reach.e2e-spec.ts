import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Client } from '../support/client.js';
import { blogBody, person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';

const TRY_AGAIN = 'the database cannot be reached: try again in a moment';
const OUTCOME_UNKNOWN =
  'the database cannot be reached, and it may have happened: read before you repeat it';

interface TimedAnswer extends Answer<unknown> {
  readonly ms: number;
}

async function observe(client: Client, method: string, path: string, body?: unknown) {
  const started = performance.now();
  const answer = await client.request<unknown>(method, path, { body });
  return { ...answer, ms: performance.now() - started };
}

describe('A database out of reach', () => {
  let mongo: OwnMongo;
  let server: TestApp;
  let author: Person;

  beforeAll(async () => {
    mongo = await OwnMongo.create({ hasFailPoints: true });
    server = await startApp({ uri: mongo.uri('pressroom') });
    author = await person(server, 'AUTHOR');
  });

  async function untilWritesRecover(): Promise<void> {
    await until('writes to recover', async () => {
      return (await author.client.post('/blog/author', blogBody())).status === 200;
    });
  }

  describe('that is stopped under load', () => {
    const loadStatuses = new Set<number>();
    const answers = new Map<string, TimedAnswer>();

    /** Each request waits seconds for the database, so all are sent concurrently. */
    beforeAll(async () => {
      const requests = [
        [server.client, 'GET', '/blogs/latest'],
        [server.client, 'GET', '/auth/verify/apikey'],
        [server.client, 'POST', '/contact', { type: 'feedback', msg: 'Hello' }],
        [author.client, 'GET', '/profile/mine'],
        [author.client, 'POST', '/blog/author', blogBody()],
        [server.client, 'GET', '/health'],
        [server.client, 'GET', '/health/ready'],
        [server.client, 'GET', '/health/live'],
        [server.client, 'GET', '/.well-known/jwks.json'],
        [server.client, 'GET', '/nowhere'],
        [server.client.with({ 'x-api-key': null }), 'POST', '/contact'],
      ] as const;
      const load = Array.from({ length: 8 }, async () => {
        for (let status = 200; status === 200; loadStatuses.add(status)) {
          ({ status } = await author.client.post('/blog/author', blogBody()));
        }
      });
      await until('a success', () => loadStatuses.has(200));
      await mongo.stop();
      // Caches could still answer without the database: a cached key would be valid for another second.
      server.invalidateCaches();
      const observations = requests.map(async ([client, method, path, body]) => {
        const key = client === server.client || client === author.client ? '' : ' without key';
        answers.set(`${method} ${path}${key}`, await observe(client, method, path, body));
      });
      await Promise.all([...load, ...observations]);
    });

    it('should interrupt requests in flight with 503, never with 500', () => {
      expect([...loadStatuses].sort()).toEqual([200, 503]);
    });

    it.each([
      ['GET /blogs/latest', TRY_AGAIN],
      ['GET /auth/verify/apikey', TRY_AGAIN],
      ['POST /contact', OUTCOME_UNKNOWN],
      ['GET /profile/mine', TRY_AGAIN],
      ['POST /blog/author', OUTCOME_UNKNOWN],
    ])('should make %s get 503 and Retry-After', (request, message) => {
      const answer = answers.get(request);
      expect(answer?.body).toEqual({
        code: '10002',
        status: 503,
        message,
        reason: message === TRY_AGAIN ? 'unavailable' : 'outcome_unknown',
      });
      expect(answer?.headers.get('retry-after')).toBe('1');
      expect(answer?.headers.get('cache-control')).toBe('no-store');
      expect(answer?.ms).toBeLessThan(6_000);
    });

    it.each(['GET /health', 'GET /health/ready'])('should make %s get 503 soon', (request) => {
      const answer = answers.get(request);
      expect(answer?.body).toEqual({
        code: '10002',
        status: 503,
        message: 'the database cannot be reached',
        reason: 'unavailable',
      });
      expect(answer?.headers.get('retry-after')).toBe('1');
      expect(answer?.ms).toBeLessThan(4_000);
    });

    it.each([
      ['GET /health/live', 200],
      ['GET /.well-known/jwks.json', 200],
      ['GET /nowhere', 404],
      ['POST /contact without key', 401],
    ])('should not matter to %s, which needs no database and gets %i', (request, status) => {
      expect(answers.get(request)?.status).toBe(status);
      expect(answers.get(request)?.ms).toBeLessThan(2_000);
    });

    it('should log the first cause with the id of its request, and no further cause for ten seconds', () => {
      const causes = server.log.map((line) => JSON.parse(line)).filter(({ err }) => err);
      // A second cause follows if the outage has lasted ten seconds.
      expect([1, 2]).toContain(causes.length);
      expect(causes[0]).toMatchObject({ level: 50, msg: 'the database cannot be reached' });
      expect(causes[0].err.type).toMatch(/^Mongo/);
      expect(causes[0].reqId).toBeTruthy();
    });

    it('should be used again without a restart once it is back', async () => {
      await mongo.start();
      await untilWritesRecover();
      expect((await server.client.get('/health')).status).toBe(200);
      expect((await server.client.get('/health/ready')).status).toBe(200);
    });
  });

  it('should not make /health wait for a database that hangs', async () => {
    await mongo.suspend();
    try {
      // The last successful ping is reused for a second.
      await until('/health to fail', async () => {
        const health = await observe(server.client, 'GET', '/health');
        expect(health.ms).toBeLessThan(4_000);
        return health.status === 503;
      });
      expect((await server.client.get('/health/live')).status).toBe(200);
    } finally {
      mongo.resume();
    }
    await untilWritesRecover();
    // Both succeed at once, because a failed ping is not reused.
    expect((await server.client.get('/health')).status).toBe(200);
    expect((await server.client.get('/health/ready')).status).toBe(200);
  });

  it('should be reported by /health when every ping fails, but not when one connection breaks', async () => {
    const breaks = { failCommands: ['ping'], closeConnection: true };
    await until('the last ping to be out of date', async () => {
      await mongo.failPoint('failCommand', { times: 1 }, breaks);
      expect((await server.client.get('/health')).status).toBe(200);
      return (await mongo.failPoint('failCommand', 'off')) > 0;
    });
    await mongo.failPoint('failCommand', 'alwaysOn', breaks);
    await until('/health to fail', async () => {
      return (await server.client.get('/health')).status === 503;
    });
    await mongo.failPoint('failCommand', 'off');
    expect((await server.client.get('/health')).status).toBe(200);
  });
});
