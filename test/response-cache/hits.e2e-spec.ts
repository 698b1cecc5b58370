import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CacheCoherenceService } from '../../src/cache/cache-coherence.service.js';
import { storeCopies, storedBlog } from '../blog/newsroom.js';
import { CommandRecorder, type RecordedCommand } from '../support/checks/command-recorder.js';
import { blogIn, type BlogInState } from '../support/factories.js';
import { BLOG_READS } from '../routes/reads.js';
import { until } from '../support/wait.js';
import { holdFeed, keepLease, moveMonotonicClock } from '../cache/support/barriers.js';
import { openStage, type Stage } from '../cache/support/fixture.js';

const MIB = 1_048_576;

/** How the change stream asks for more; no request causes it. */
const isOfTheStream = ({ name }: RecordedCommand): boolean => name === 'getMore';

const articlePath = ({ body }: BlogInState): string => `/blog/slug/${body.slug}`;

describe('a hot request', () => {
  let stage: Stage;
  let recorder: CommandRecorder;
  let blog: BlogInState;

  beforeAll(async () => {
    stage = await openStage({});
    recorder = new CommandRecorder(stage);
    blog = await blogIn('live', stage.author, stage.editor);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    recorder.stop();
    await stage.close();
  });

  const beats = (): number =>
    recorder.commands.filter(({ collection, name }) => collection === 'beats' && name === 'update')
      .length;

  it.each([
    ...BLOG_READS.filter(({ isCached }) => isCached).map(
      ({ route, isPaged, pathTo }): [string, () => string] => [
        route,
        () =>
          pathTo({ ...blog, author: stage.author, neighbour: blog }) +
          (isPaged ? '?limit=5&total=true' : ''),
      ],
    ),
    ['GET /auth/verify/apikey', () => '/auth/verify/apikey'],
    ['GET /profile/mine', () => '/profile/mine'],
    ['GET /profile/id/:id', () => `/profile/id/${stage.editor._id}`],
  ])('should cost no query: %s', async (_title, path) => {
    keepLease(stage.app);
    const ask = async (): Promise<void> => {
      expect((await stage.author.client.get(path())).status).toBe(200);
    };
    await ask();
    recorder.clear();
    for (let n = 0; n < 20; n++) await ask();
    expect(recorder.commands.filter((command) => !isOfTheStream(command))).toEqual([]);
  });

  it('should cost no query but that of its own data with a role', async () => {
    keepLease(stage.app);
    const ask = () => stage.author.client.get('/blog/author/drafts');
    await ask();
    recorder.clear();
    for (let n = 0; n < 5; n++) expect((await ask()).status).toBe(200);
    const sent = recorder.commands.filter((command) => !isOfTheStream(command));
    expect(sent.map(({ collection }) => collection)).toEqual(Array(5).fill('blogs'));
  });

  it('should send at most four beats a second, and none when nobody asks', async () => {
    const clock = moveMonotonicClock(stage.app);
    recorder.clear();
    const begun = performance.now();
    while (performance.now() - begun < 1_000) await stage.client.get(articlePath(blog));
    const quarters = (performance.now() - begun) / 250;
    expect(beats()).toBeGreaterThanOrEqual(1);
    expect(beats()).toBeLessThanOrEqual(Math.floor(quarters) + 1);

    // One that was due while the loop ended may still be on its way.
    await stage.db.command({ ping: 1 });
    recorder.clear();
    clock.advance(10_000);
    for (let n = 0; n < 10; n++) await stage.db.command({ ping: 1 });
    expect(beats()).toBe(0);
    stage.app.get(CacheCoherenceService).isServing();
    await until('the beat of one who asks', () => beats() === 1);
  });
});

describe.each([0, 1])('with CACHE_MB=%d', (megabytes) => {
  let stage: Stage;
  let recorder: CommandRecorder;

  beforeAll(async () => {
    const env = { CACHE_MB: String(megabytes) };
    stage = await openStage({ env });
    recorder = new CommandRecorder(stage);
    keepLease(stage.app);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    recorder.stop();
    await stage.close();
  });

  /** Whether the answer came from memory; its shape is not the contract's, where a test made it up. */
  async function isFromMemory(path: string): Promise<boolean> {
    recorder.clear();
    const headers = stage.client.headers;
    const answer = await fetch(stage.url + path, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
    return recorder.commands.every(({ collection }) => collection !== 'blogs');
  }

  it('should keep answers of at most so much together, the last ones', async () => {
    const text = `<p>${'x'.repeat(90_000)}</p>`;
    const blog = await blogIn('live', stage.author, stage.editor, {
      draftText: text,
      slug: 'onearticleofmanyspellings',
    });
    // Spelled in upper and lower case it is as many keys as there are spellings.
    const spellings = Array.from({ length: 30 }, (_, n) =>
      [...blog.body.slug].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)),
    ).map((letters) => `/blog/slug/${letters.join('')}`);
    for (const path of spellings) expect(await isFromMemory(path)).toBe(false);
    const kept: string[] = [];
    for (const path of spellings.toReversed()) {
      if (await isFromMemory(path)) kept.push(path);
      else break;
    }
    const most = Math.floor((megabytes * MIB) / text.length);
    expect(kept.length).toBeLessThanOrEqual(most);
    expect(kept.length).toBeGreaterThanOrEqual(most - 1);
  });

  it('should not keep an answer that is larger, and give it all the same', async () => {
    const { _id } = await blogIn('live', stage.author, stage.editor);
    // Nothing of this was asked for before the copies are stored, so nothing needs to be forgotten.
    const feed = holdFeed(stage.app);
    const { live } = await storedBlog(stage.db, _id);
    const description = 'y'.repeat(25_000);
    const changes = Array.from({ length: 100 }, () => (slug: string) => ({
      live: { ...live, slug, description },
    }));
    await storeCopies(stage.db, _id, changes);
    expect(await isFromMemory('/blogs/latest?limit=20')).toBe(false);
    expect(await isFromMemory('/blogs/latest?limit=20')).toBe(megabytes > 0);
    expect(await isFromMemory('/blogs/latest?limit=100')).toBe(false);
    expect(await isFromMemory('/blogs/latest?limit=100')).toBe(false);
    // What was there before has not gone for nothing.
    expect(await isFromMemory('/blogs/latest?limit=20')).toBe(megabytes > 0);
    feed.release();
  });
});
