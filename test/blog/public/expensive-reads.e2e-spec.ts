import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { LoadLimit } from '../../../src/platform/overload/load-limit.js';
import { ExpensiveReadsService } from '../../../src/blog/public/reads/expensive-reads.service.js';
import { holdReads, keepLease } from '../../platform/caching/support/barriers.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

const MAX_QUEUED = 50;
const REQUEST_COUNT = 80;

describe('an expensive read', () => {
  let server: TestApp;
  let maxConcurrent: number;
  let refusedCount: number;

  beforeAll(async () => {
    server = await startApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    const options = server.app.get(ExpensiveReadsService)['options'];
    // Even on a slow machine, all requests must arrive before the first one has waited for too long.
    for (const each of [options, server.app.get(LoadLimit).expensiveReads['options']]) {
      Object.assign(each, { maxWaitMs: 60_000, keepFreeMs: 60_000 });
    }
    // `maxConcurrent` depends on the machine.
    ({ maxConcurrent } = options);
    refusedCount = REQUEST_COUNT - maxConcurrent - MAX_QUEUED;
  });

  beforeEach(async () => {
    // This request caches the API key, so that all later reads are those of the test.
    keepLease(server.app);
    await server.client.get('/auth/verify/apikey');
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['similar blogs', () => `/blogs/similar/id/${new Types.ObjectId().toHexString()}`, 404],
    ['a deep page', (n: number) => `/blogs/latest?limit=100&page=${n + 200}`, 200],
    [
      'a total',
      (n: number) => `/blogs/tag/a${n}?total=true&limit=1&from=2000-01-01T00:00:00Z`,
      200,
    ],
    ['a search', (n: number) => `/blogs/search?q=word${n}`, 200],
  ])('should wait for its turn, or be refused: %s', async (_what, pathOf, status) => {
    const held = holdReads(server.app);
    const refused: string[] = [];
    const statuses: number[] = [];
    const answers = Array.from({ length: REQUEST_COUNT }, async (_, n) => {
      // Each request comes from a client prefix of its own.
      const headers = { 'x-forwarded-for': `198.18.${n}.1` };
      const answer = await server.client.get<unknown>(pathOf(n), { headers });
      if (answer.status !== 503) statuses.push(answer.status);
      else refused.push(`${answer.body.message} ${answer.headers.get('retry-after')}`);
    });
    await until('refusals beyond slots and queue', () => refused.length === refusedCount);
    expect(new Set(refused)).toEqual(
      new Set(['too many costly requests are waiting: try again in a moment 1']),
    );
    // Each total comes with a page, and two queries for pages may run at a time.
    expect(held.count()).toBe(maxConcurrent + (pathOf(0).includes('total') ? 2 : 0));
    held.release();
    await Promise.all(answers);
    expect(statuses).toEqual(Array<number>(REQUEST_COUNT - refusedCount).fill(status));
  });

  describe('of the only active client prefix', () => {
    /** How many expensive reads one client prefix may run: `maxPerClientPrefix` of LoadLimit. */
    let maxStarted: number;

    beforeAll(() => {
      Object.assign(server.app.get(LoadLimit).expensiveReads['options'], { keepFreeMs: 0 });
      maxStarted = maxConcurrent + 2;
    });

    it('should not run again for requests that have waited for the same search', async () => {
      const held = holdReads(server.app);
      const path = '/blogs/search?q=the+same';
      const answers = Array.from({ length: 20 }, () => server.client.get(path));
      const { expensiveReads } = server.app.get(LoadLimit);
      await until('the others to wait', () => expensiveReads.queueLength === 20 - maxStarted);
      const reads = held.count();
      held.release();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(held.count()).toBe(reads);
    });

    it('should not start if its client has gone while it waited', async () => {
      const held = holdReads(server.app);
      const { expensiveReads } = server.app.get(LoadLimit);
      const get = (n: number, signal: AbortSignal | null = null) =>
        fetch(`${server.url}/blogs/search?q=gone${n}`, {
          headers: { 'x-api-key': API_KEY },
          signal,
        });
      const started = Array.from({ length: maxStarted }, (_, n) => get(n));
      await until('all slots to be taken', () => expensiveReads['held'].total === maxStarted);
      const leave = new AbortController();
      const gone = Promise.allSettled([get(10, leave.signal), get(11, leave.signal)]);
      await until('two to wait', () => expensiveReads.queueLength === 2);
      leave.abort();
      await gone;
      const inFlightCount = () => server.app.get(LoadLimit)['inFlight']['costly-read'].size;
      await until('the server to notice', () => inFlightCount() === maxStarted);
      held.release();
      await Promise.all(started);
      await until(
        'all slots to be free',
        () => expensiveReads['held'].total + expensiveReads.queueLength === 0,
      );
      expect(held.count()).toBe(maxStarted);
    });
  });
});
