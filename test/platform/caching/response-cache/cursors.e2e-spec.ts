import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { removeBlogs, storeCopies, storedBlog } from '../../../blog/core/fixture.js';
import type { Answer } from '../../../support/client.js';
import { CommandRecorder } from '../../../support/checks/command-recorder.js';
import { BLOG_READS } from '../../../routes/reads.js';
import { blogIn } from '../../../support/factories.js';
import { keepLease } from '../support/barriers.js';
import { openFixture, takeDown, type Fixture } from '../support/fixture.js';

interface Item {
  readonly _id: string;
}

const TAG = 'walked';
const COUNT = 60;

/** Several blogs have the same time, so that their ids decide the order. */
const TIMES = Array.from({ length: COUNT }, (_, n) => new Date(Date.UTC(2024, 0, 1 + (n % 7))));

let server: Fixture;

beforeAll(async () => {
  server = await openFixture();
  keepLease(server.app);
});

describe.each(BLOG_READS.filter(({ isPaged }) => isPaged))('the cursor of $route', ({ pathTo }) => {
  let path: string;
  let expected: string[];

  beforeEach(async () => {
    await removeBlogs(server);
    const { _id, body } = await blogIn('live', server.author, server.editor, { tags: [TAG] });
    path = pathTo({ _id, body, author: server.author, similarBlog: { _id } });
    const { live } = await storedBlog(server.db, _id);
    const ids = await storeCopies(
      server.db,
      _id,
      TIMES.map((at) => (slug) => ({ live: { ...live, slug, at }, publishedAt: at })),
    );
    await server.author.client.delete(`/blog/author/id/${_id}`);
    expected = ids
      .map((id, n) => ({ id, at: Number(TIMES[n]) }))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
  });

  /** @param between runs after each page @returns the ids of all pages */
  async function walk(
    limit: number,
    between: (page: number) => Promise<unknown>,
  ): Promise<string[]> {
    const listed: string[] = [];
    let query: string | undefined = `?limit=${limit}`;
    for (let page = 1; query !== undefined; page++) {
      // Ends the test if the list never ends.
      expect(page).toBeLessThanOrEqual(COUNT + 1);
      const answer: Answer<readonly Item[]> = await server.client.get(path + query);
      const { status, body, headers } = answer;
      expect(status).toBe(200);
      listed.push(...body.data.map(({ _id }) => _id));
      const link: string | null = headers.get('link');
      query = link === null ? undefined : /^<(\?[^>]+)>; rel="next"$/.exec(link)?.[1];
      expect([link, query === undefined]).toEqual([link, link === null]);
      await between(page);
    }
    return listed;
  }

  it('should list every blog once, and end without a link, even if the last page is full', async () => {
    for (const [limit, count] of [
      [7, 9],
      [30, 2],
      [50, 2],
    ] as const) {
      const pages: number[] = [];
      expect(await walk(limit, (page) => Promise.resolve(pages.push(page)))).toEqual(expected);
      expect(pages).toHaveLength(count);
    }
  });

  it('should list every blog that stays live, whatever is published or taken down meanwhile', async () => {
    const gone = new Set(expected.filter((_, n) => n % 10 === 3));
    const toTakeDown = [...gone];
    const listed = await walk(10, async () => {
      // Takes one blog down, of an earlier or a later page, and publishes one that the first page would list.
      const id = toTakeDown.pop();
      if (id) await takeDown(server.db, id);
      await blogIn('live', server.author, server.editor, { tags: [TAG] });
    });
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((id) => !gone.has(id))).toEqual(expected.filter((id) => !gone.has(id)));
  });

  it('should continue after the last blog of its page, even if that blog was removed', async () => {
    const first = await server.client.get<readonly Item[]>(`${path}?limit=10`);
    const query = /^<(\?[^>]+)>/.exec(String(first.headers.get('link')))?.[1];
    await server.db.collection('blogs').deleteOne({ _id: new Types.ObjectId(expected[9]) });
    const { body } = await server.client.get<readonly Item[]>(`${path}${String(query)}`);
    expect(body.data.map(({ _id }) => _id)).toEqual(expected.slice(10, 20));
  });

  it('should be accepted with the total, and refused with a page number, if repeated or if malformed', async () => {
    const { headers } = await server.client.get(`${path}?limit=5&total=true`);
    expect(headers.get('x-total-count')).toBe(String(COUNT));
    const cursor = /cursor=([^>]+)>/.exec(String(headers.get('link')))?.[1] ?? '';
    const next = await server.client.get(`${path}?limit=5&total=true&cursor=${cursor}`);
    expect(next.headers.get('x-total-count')).toBe(String(COUNT));
    for (const query of [
      `page=2&cursor=${cursor}`,
      `cursor=${cursor}x`,
      `cursor=${cursor.slice(1)}`,
      'cursor=',
      `cursor=${cursor}&cursor=${cursor}`,
      `cursor[]=${cursor}`,
    ]) {
      expect([query, (await server.client.get(`${path}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('should examine hardly more index keys than it lists blogs, even if many have the same time', async () => {
    const recorder = new CommandRecorder(server);
    await walk(15, () => Promise.resolve());
    recorder.stop();
    const pages = recorder.commands.filter(
      ({ name, collection }) => name === 'find' && collection === 'blogs',
    );
    expect(pages.length).toBeGreaterThanOrEqual(COUNT / 15);
    for (const { command } of pages) {
      const { find, filter, sort, limit, projection } = command;
      const { executionStats } = await server.db.command({
        explain: { find, filter, sort, limit, projection },
        verbosity: 'executionStats',
      });
      expect(executionStats.nReturned).toBeGreaterThan(0);
      expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(15 + 2);
      expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(2 * (15 + 2));
    }
  });
});
