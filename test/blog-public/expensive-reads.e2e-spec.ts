import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Types } from 'mongoose';
import { ExpensiveReadsService } from '../../src/blog-public/reads/expensive-reads.service.js';
import { holdReads, keepLease } from '../cache/support/barriers.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';

const MAX_QUEUED = 50;
const REQUESTS = 80;

describe('an expensive read', () => {
  let server: TestApp;
  let maxConcurrent: number;
  let tooMany: number;

  beforeAll(async () => {
    server = await startApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    const options = server.app.get(ExpensiveReadsService)['options'];
    // On a slow machine all requests must have come before the first one has waited for too long.
    Object.assign(options, { maxWaitMs: 60_000 });
    // It depends on the machine.
    ({ maxConcurrent } = options);
    tooMany = REQUESTS - maxConcurrent - MAX_QUEUED;
  });

  beforeEach(async () => {
    // The API key is cached, so that the reads that follow are those of the test.
    keepLease(server.app);
    await server.client.get('/auth/verify/apikey');
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['similar blogs', () => `/blogs/similar/id/${new Types.ObjectId().toHexString()}`, 404],
    ['a deep page', (n: number) => `/blogs/latest?limit=100&page=${n + 200}`, 200],
    ['a total', (n: number) => `/blogs/tag/a${n}?total=true&limit=1`, 200],
    ['a search', (n: number) => `/blogs/search?q=word${n}`, 200],
  ])('should wait for its turn, or be refused: %s', async (_what, pathOf, status) => {
    const held = holdReads(server.app);
    const refused: string[] = [];
    const others: number[] = [];
    const answers = Array.from({ length: REQUESTS }, async (_, n) => {
      const answer = await server.client.get<unknown>(pathOf(n));
      if (answer.status !== 503) others.push(answer.status);
      else refused.push(`${answer.body.message} ${answer.headers.get('retry-after')}`);
    });
    await until('the rest to be refused', () => refused.length === tooMany);
    expect(new Set(refused)).toEqual(
      new Set(['too many costly requests are waiting: try again in a moment 1']),
    );
    // Each total comes with a page, and two queries for pages may run.
    expect(held.count()).toBe(maxConcurrent + (pathOf(0).includes('total') ? 2 : 0));
    held.release();
    await Promise.all(answers);
    expect(others).toEqual(Array<number>(REQUESTS - tooMany).fill(status));
  });

  it('should be read for other networks, although one fills the queue', async () => {
    const pathOf = (n: number) => `/blogs/tag/b${n}?page=200&limit=100`;
    const get = async (n: number, address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await server.client.get<unknown>(pathOf(n), { headers })).status;
    };
    // From now on the last slot is kept free.
    expect(await get(REQUESTS, '198.51.100.1')).toBe(200);
    const held = holdReads(server.app);
    const statuses: number[] = [];
    const answers = Array.from({ length: REQUESTS }, async (_, n) => {
      statuses.push(await get(n, `203.0.113.${n}`));
    });
    await until('the rest to be refused', () => statuses.length === tooMany + 1);
    expect(held.count()).toBe(maxConcurrent - 1);
    const second = get(REQUESTS + 1, '198.51.100.1');
    await until('its read', () => held.count() === maxConcurrent);
    expect(statuses).toHaveLength(tooMany + 1);
    const third = get(REQUESTS + 2, '192.0.2.1');
    await until('a place in the queue for it', () => statuses.length === tooMany + 2);
    held.release();
    expect(await Promise.all([second, third])).toEqual([200, 200]);
    await Promise.all(answers);
    expect(statuses.filter((status) => status === 503)).toHaveLength(tooMany + 2);
  });
});
