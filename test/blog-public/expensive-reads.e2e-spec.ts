import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { PublicListService } from '../../src/blog-public/public-list.service.js';
import type { CacheCoherenceService } from '../../src/cache/cache-coherence.service.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/wait.js';

const AT_WORK = 2;
const WAITING = 50;
const ASKED = 80;

describe('a read that is dear for the database', () => {
  let server: TestApp;
  let lists: PublicListService;
  let coherence: CacheCoherenceService;

  beforeAll(async () => {
    server = await startApp();
    lists = server.app.get(PublicListService, { strict: false });
    coherence = lists['coherence'];
    // On a slow machine all must have come before the first has waited too long.
    Object.assign(lists['inDepth']['queue']['options'], { maxWaitMs: 60_000 });
  });

  afterEach(() => {
    Object.assign(lists, { coherence });
  });

  afterAll(() => server.close());

  it.each([
    ['similar blogs', () => `/blogs/similar/id/${new Types.ObjectId().toHexString()}`, 404],
    ['a deep page', (n: number) => `/blogs/latest?limit=100&page=${n + 200}`, 200],
    ['a total', (n: number) => `/blogs/tag/a${n}?total=true&limit=1`, 200],
  ])('should wait for its turn, or be refused: %s', async (_what, pathOf, status) => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const isTotal = pathOf(0).includes('total');
    const read = jest.fn<CacheCoherenceService['read']>(async (work) => {
      await held;
      return coherence.read(work);
    });
    // For the lists only: keys are looked up by the memory that all share.
    Object.assign(lists, {
      coherence: Object.create(coherence, { read: { value: read } }) as object,
    });
    const refused: string[] = [];
    const others: number[] = [];
    const answers = Array.from({ length: ASKED }, async (_, n) => {
      const answer = await server.client.get<unknown>(pathOf(n));
      if (answer.status !== 503) others.push(answer.status);
      else refused.push(`${answer.body.message} ${answer.headers.get('retry-after')}`);
    });
    const tooMany = ASKED - AT_WORK - WAITING;
    await until('the rest to be refused', () => refused.length === tooMany);
    expect(new Set(refused)).toEqual(
      new Set(['too many long lists are being read: try again in a moment 1']),
    );
    // A total comes with a page, and pages gather for two queries.
    expect(read.mock.calls.length).toBe(isTotal ? 2 * AT_WORK : AT_WORK);
    letGo();
    await Promise.all(answers);
    expect(others).toEqual(Array<number>(ASKED - tooMany).fill(status));
  });
});
