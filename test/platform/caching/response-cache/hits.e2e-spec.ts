import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CacheCoherenceService } from '../../../../src/platform/caching/cache-coherence.service.js';
import { storeCopies, storedBlog } from '../../../blog/core/fixture.js';
import { CommandRecorder, type RecordedCommand } from '../../../support/checks/command-recorder.js';
import { blogIn, type BlogInState } from '../../../support/factories.js';
import { BLOG_READS } from '../../../routes/reads.js';
import { until } from '../../../support/time/wait.js';
import { holdStream, keepLease, controlMonotonicClock } from '../support/barriers.js';
import { openFixture, type Fixture } from '../support/fixture.js';

const MIB = 1_048_576;

/** The change stream's own command, which no request causes. */
const isOfChangeStream = ({ name }: RecordedCommand): boolean => name === 'getMore';

const articlePath = ({ body }: BlogInState): string => `/blog/slug/${body.slug}`;

describe('a request that is answered from caches', () => {
  let server: Fixture;
  let recorder: CommandRecorder;
  let blog: BlogInState;

  beforeAll(async () => {
    server = await openFixture({});
    recorder = new CommandRecorder(server);
    blog = await blogIn('live', server.author, server.editor);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const heartbeats = (): number =>
    recorder.commands.filter(({ collection, name }) => collection === 'beats' && name === 'update')
      .length;

  it.each([
    ...BLOG_READS.filter(({ isCached }) => isCached).map(
      ({ route, isPaged, pathTo }): [string, () => string] => [
        route,
        () =>
          pathTo({ ...blog, author: server.author, similarBlog: blog }) +
          (isPaged ? '?limit=5&total=true' : ''),
      ],
    ),
    ['GET /auth/verify/apikey', () => '/auth/verify/apikey'],
    ['GET /profile/mine', () => '/profile/mine'],
    ['GET /profile/id/:id', () => `/profile/id/${server.editor._id}`],
  ])('should cost no query: %s', async (_title, path) => {
    keepLease(server.app);
    const ask = async (): Promise<void> => {
      expect((await server.author.client.get(path())).status).toBe(200);
    };
    await ask();
    recorder.clear();
    for (let n = 0; n < 20; n++) await ask();
    expect(recorder.commands.filter((command) => !isOfChangeStream(command))).toEqual([]);
  });

  it('should query only the requested blogs on a route that needs a role', async () => {
    keepLease(server.app);
    const ask = () => server.author.client.get('/blog/author/drafts');
    await ask();
    recorder.clear();
    for (let n = 0; n < 5; n++) expect((await ask()).status).toBe(200);
    const sent = recorder.commands.filter((command) => !isOfChangeStream(command));
    expect(sent.map(({ collection }) => collection)).toEqual(Array(5).fill('blogs'));
  });

  it('should send at most four heartbeats a second, and none without requests', async () => {
    const clock = controlMonotonicClock(server.app);
    recorder.clear();
    const begunAt = performance.now();
    while (performance.now() - begunAt < 1_000) await server.client.get(articlePath(blog));
    const quarters = (performance.now() - begunAt) / 250;
    expect(heartbeats()).toBeGreaterThanOrEqual(1);
    expect(heartbeats()).toBeLessThanOrEqual(Math.floor(quarters) + 1);

    // A heartbeat that was due at the end of the loop may still be in flight.
    await server.db.command({ ping: 1 });
    recorder.clear();
    clock.advance(10_000);
    for (let n = 0; n < 10; n++) await server.db.command({ ping: 1 });
    expect(heartbeats()).toBe(0);
    // Calls `isServing` repeatedly, because it sends no heartbeat while an earlier one is in flight.
    await until('the heartbeat of a request', () => {
      server.app.get(CacheCoherenceService).isServing();
      return heartbeats() === 1;
    });
  });
});

describe.each([0, 1])('with CACHE_MB=%d', (megabytes) => {
  let server: Fixture;
  let recorder: CommandRecorder;

  beforeAll(async () => {
    const env = { CACHE_MB: String(megabytes) };
    server = await openFixture({ env });
    recorder = new CommandRecorder(server);
    keepLease(server.app);
  });

  /** Whether an answer took no query for blogs. Uses `fetch`: the client would reject records of this test. */
  async function isFromCache(path: string): Promise<boolean> {
    recorder.clear();
    const headers = server.client.headers;
    const answer = await fetch(server.url + path, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
    return recorder.commands.every(({ collection }) => collection !== 'blogs');
  }

  it('should keep the last answers, up to this size in total', async () => {
    const text = `<p>${'x'.repeat(90_000)}</p>`;
    const blog = await blogIn('live', server.author, server.editor, {
      draftText: text,
      slug: 'onearticleofmanyspellings',
    });
    // Each spelling of the slug, in upper and lower case, has an entry of its own.
    const spellings = Array.from({ length: 30 }, (_, n) =>
      [...blog.body.slug].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)),
    ).map((letters) => `/blog/slug/${letters.join('')}`);
    for (const path of spellings) expect(await isFromCache(path)).toBe(false);
    const kept: string[] = [];
    for (const path of spellings.toReversed()) {
      if (await isFromCache(path)) kept.push(path);
      else break;
    }
    const maxKept = Math.floor((megabytes * MIB) / text.length);
    expect(kept.length).toBeLessThanOrEqual(maxKept);
    expect(kept.length).toBeGreaterThanOrEqual(maxKept - 1);
  });

  it('should send an answer that is larger than the cache, without keeping it', async () => {
    const { _id } = await blogIn('live', server.author, server.editor);
    // The cache does not learn of the copies below. No list is cached yet, so none becomes out of date.
    const stream = holdStream(server.app);
    const { live } = await storedBlog(server.db, _id);
    const description = 'y'.repeat(25_000);
    const changes = Array.from({ length: 100 }, () => (slug: string) => ({
      live: { ...live, slug, description },
    }));
    await storeCopies(server.db, _id, changes);
    expect(await isFromCache('/blogs/latest?limit=20')).toBe(false);
    expect(await isFromCache('/blogs/latest?limit=20')).toBe(megabytes > 0);
    expect(await isFromCache('/blogs/latest?limit=100')).toBe(false);
    expect(await isFromCache('/blogs/latest?limit=100')).toBe(false);
    // The larger answer has not evicted the smaller one.
    expect(await isFromCache('/blogs/latest?limit=20')).toBe(megabytes > 0);
    stream.release();
  });
});
