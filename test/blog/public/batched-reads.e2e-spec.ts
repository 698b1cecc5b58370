import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LoadLimit } from '../../../src/platform/overload/load-limit.js';
import { ExpensiveReadsService } from '../../../src/blog/public/reads/expensive-reads.service.js';
import { BlogPublicService } from '../../../src/blog/public/blog-public.service.js';
import { PublicListService } from '../../../src/blog/public/lists/public-list.service.js';
import { storedBlog, storeTimeline } from '../core/fixture.js';
import {
  holdNextRead,
  holdReads,
  keepLease,
  type HeldRead,
} from '../../platform/caching/support/barriers.js';
import { openFixture, type Fixture } from '../../platform/caching/support/fixture.js';
import { CommandRecorder, type RecordedCommand } from '../../support/checks/command-recorder.js';
import { until } from '../../support/time/wait.js';

const BLOG_COUNT = 60;
const TAG_COUNT = 10;
const MAX_PAGES_PER_QUERY = 16;
const MAX_ARTICLES_PER_QUERY = 64;
const MAX_CONCURRENT_QUERIES = 2;

/** A path, and the ids that its answer must have. */
type Expected = readonly [path: string, ids: readonly string[]];

/** Whether a command may examine more than 10,000 index keys: a count, or a find with a large skip. */
const isExpensive = ({ name, collection, command }: RecordedCommand): boolean =>
  collection === 'blogs' &&
  (name === 'count' || (name === 'find' && Number(command['skip']) > 10_000));

const EXPENSIVE_PATHS = [
  '/blogs/latest?page=1002&limit=10',
  '/blogs/latest?page=1003&limit=10',
  '/blogs/latest?page=1004&limit=10&total=true&from=2000-01-01T00:00:00Z',
  '/blogs/tag/common?page=102&limit=100',
  '/blogs/tag/common?page=1&limit=5&total=true&from=2000-01-01T00:00:00Z',
  '/blogs/tag/nowhere?page=1&limit=5&total=true&from=2000-01-01T00:00:00Z',
] as const;

/** Four of the six pages are deep, and three ask for a total that is not kept. */
const EXPENSIVE_COMMAND_COUNT = 4 + 3;

describe('reads that arrive while others run', () => {
  let server: Fixture;
  let recorder: CommandRecorder;
  /** The ids of the blogs, newest first. */
  let all: string[];
  let slugs: string[];

  beforeAll(async () => {
    server = await openFixture({ env: { CACHE_MB: '0' } });
    recorder = new CommandRecorder(server);
    const { db } = server;
    all = await storeTimeline(server, BLOG_COUNT, (n) => ['common', `shade ${n % TAG_COUNT}`]);
    slugs = await Promise.all(
      all.map(async (id) => String((await storedBlog(db, id))['live']?.slug)),
    );
  });

  beforeEach(async () => {
    // These requests cache the API key, so that all later reads are those of the test.
    keepLease(server.app);
    await server.client.get('/auth/verify/apikey');
    await server.client.get(`/blog/id/${all[0]}`);
    recorder.clear();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const ids = async (path: string): Promise<string[]> => {
    const { status, body } = await server.client.get<Item | readonly Item[]>(path);
    expect([path, status]).toEqual([path, 200]);
    return [body.data].flat().map(({ _id }) => _id);
  };

  const queryCount = (): number =>
    recorder.commands.filter(
      ({ name, collection }) => collection === 'blogs' && ['find', 'aggregate'].includes(name),
    ).length;

  /** Sends two requests and holds their reads, sends the others, and then lets the two reads end. */
  async function askWhileHeld(expected: readonly Expected[], calls: () => number): Promise<void> {
    const answers: Promise<string[]>[] = [];
    const held: HeldRead[] = [];
    for (const [path] of expected.slice(0, MAX_CONCURRENT_QUERIES)) {
      const read = holdNextRead(server.app);
      answers.push(ids(path));
      await read.untilRead();
      held.push(read);
    }
    for (const [path] of expected.slice(MAX_CONCURRENT_QUERIES)) answers.push(ids(path));
    await until('all requests to arrive', () => calls() === expected.length);
    // The reads of the other requests wait.
    expect(queryCount()).toBe(MAX_CONCURRENT_QUERIES);
    for (const read of held) read.release();
    expect(await Promise.all(answers)).toEqual(expected.map(([, expectedIds]) => expectedIds));
  }

  it('should share queries for lists, and each get its own items', async () => {
    const lists = server.app.get(PublicListService);
    const { headers } = await server.client.get('/blogs/tag/common?limit=20');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    const cursor = new URL(next, 'http://x/').searchParams.get('cursor') ?? '';
    const list = jest.spyOn(lists, 'list');
    recorder.clear();
    const page = (number: number, limit: number): readonly string[] =>
      all.slice((number - 1) * limit, number * limit);
    // The newest blog has the highest number.
    const withTag = (number: number): string[] =>
      all.filter((_, index) => (BLOG_COUNT - 1 - index) % TAG_COUNT === number);
    const numbers = Array.from({ length: TAG_COUNT }, (_, number) => number);
    const expected: Expected[] = [
      ['/blogs/latest?limit=3', page(1, 3)],
      ['/blogs/latest?limit=4', page(1, 4)],
      ...numbers.map((n): Expected => [`/blogs/latest?page=${n + 1}&limit=7`, page(n + 1, 7)]),
      ...numbers.map((n): Expected => [`/blogs/tag/shade%20${n}`, withTag(n)]),
      ['/blogs/tag/nowhere', []],
      [`/blogs/latest?limit=5&cursor=${cursor}`, all.slice(20, 25)],
      [`/blogs/tag/common?limit=5&cursor=${cursor}`, all.slice(20, 25)],
      ['/blogs/tag/common?limit=100', all],
    ];
    await askWhileHeld(expected, () => list.mock.calls.length);
    expect(queryCount()).toBe(
      MAX_CONCURRENT_QUERIES +
        Math.ceil((expected.length - MAX_CONCURRENT_QUERIES) / MAX_PAGES_PER_QUERY),
    );
  });

  it('should share queries for articles, and each get its own article', async () => {
    const spy = jest.spyOn(server.app.get(BlogPublicService), 'getBySlug');
    const articles = slugs.map((slug, index): Expected => [
      `/blog/slug/${slug}`,
      all.slice(index, index + 1),
    ]);
    await askWhileHeld(articles, () => spy.mock.calls.length);
    expect(queryCount()).toBe(
      MAX_CONCURRENT_QUERIES +
        Math.ceil((articles.length - MAX_CONCURRENT_QUERIES) / MAX_ARTICLES_PER_QUERY),
    );
  });

  it('should share one read if they ask for the same, but not a read that runs already', async () => {
    const list = jest.spyOn(server.app.get(PublicListService), 'list');
    const same: Expected = ['/blogs/latest?limit=6', all.slice(0, 6)];
    const expected = Array.from({ length: 2 * MAX_PAGES_PER_QUERY }, () => same);
    await askWhileHeld(expected, () => list.mock.calls.length);
    expect(queryCount()).toBe(MAX_CONCURRENT_QUERIES + 1);
  });

  const expensiveCommandCount = (): number => recorder.commands.filter(isExpensive).length;

  it('should run only as many deep pages and totals at a time as allowed, without delaying other reads', async () => {
    const lists = server.app.get(PublicListService);
    const list = jest.spyOn(lists, 'list');
    // All requests come from one client prefix, so its limit is lifted.
    const { options } = server.app.get(LoadLimit).expensiveReads as unknown as { options: object };
    Object.assign(options, { maxPerClientPrefix: Infinity });
    const held = holdReads(server.app);
    recorder.clear();
    const answers = EXPENSIVE_PATHS.map((path) => server.client.get(path));
    await until('all requests to arrive', () => list.mock.calls.length === EXPENSIVE_PATHS.length);
    held.stopHolding();
    // This request comes after all of them, and is answered before any of them.
    const { body } = await server.client.get(`/blog/id/${all[0]}`);
    expect(body.data._id).toBe(all[0]);
    const { maxConcurrent } = server.app.get(ExpensiveReadsService)['options'];
    expect(expensiveCommandCount()).toBe(maxConcurrent);
    held.release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(EXPENSIVE_PATHS.map(() => 200));
    expect(expensiveCommandCount()).toBe(EXPENSIVE_COMMAND_COUNT);
  });
});

interface Item {
  readonly _id: string;
}
