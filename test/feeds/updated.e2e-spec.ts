import { beforeAll, describe, expect, it } from '@jest/globals';
import { OutboxRelay } from '../../src/blog/history/outbox-relay.service.js';
import type { BlogFixture } from '../blog/core/fixture.js';
import type { Client } from '../support/client.js';
import { blogIn, person, unique, type Person } from '../support/factories.js';
import { startApp } from '../support/start-app.js';
import { openFeedsFixture } from './fixture.js';

let fixture: BlogFixture;
let admin: Person;
let secondClient: Client;

beforeAll(async () => {
  fixture = await openFeedsFixture();
  admin = await person(fixture, 'ADMIN');
  secondClient = fixture.client.at((await startApp({ uri: fixture.uri })).url);
});

/** The `updated` of an Atom feed, not of its entries. */
async function updatedOf(query: string, client = fixture.client): Promise<string> {
  const { text } = await client.get(`/feeds/atom.xml${query}`);
  const [head = ''] = text.split('<entry>');
  return /<updated>(.*)<\/updated>/.exec(head)?.[1] ?? '';
}

const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);
const author = (): Client => fixture.author.client;

type Feed = 'all' | 'tag' | 'author';

/** How the newest article leaves a feed: that of all articles, of its tag, of its author. */
const WAYS_OUT: readonly (readonly [string, readonly Feed[], (id: string) => Promise<unknown>])[] =
  [
    ['unpublished', ['all', 'tag', 'author'], unpublish],
    ['deleted', ['all', 'tag', 'author'], (id) => author().delete(`/blog/author/id/${id}`)],
    [
      'deleted, and removed from the trash',
      ['all', 'tag', 'author'],
      async (id) => {
        await author().delete(`/blog/author/id/${id}`);
        await author().delete(`/blog/author/trash/id/${id}`);
      },
    ],
    [
      'unpublished, and then edited as a draft',
      ['all', 'tag', 'author'],
      async (id) => {
        await unpublish(id);
        await author().put(`/blog/author/id/${id}`, { title: 'Another title' });
      },
    ],
    [
      'published without its tag',
      ['tag'],
      async (id) => {
        await author().put(`/blog/author/id/${id}`, { tags: [] });
        await author().put(`/blog/author/submit/${id}`);
        await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
      },
    ],
    [
      'handed over',
      ['author'],
      (id) => admin.client.put(`/admin/blogs/id/${id}/author`, { user: fixture.other._id }),
    ],
  ];

describe('the time of a feed', () => {
  it.each(WAYS_OUT)('should not go back when an article is %s', async (_way, feeds, leave) => {
    const tag = unique('tag');
    const queries = { all: '', tag: `?tag=${tag}`, author: `?author=${fixture.author._id}` };
    await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    const before = await Promise.all(feeds.map((feed) => updatedOf(queries[feed])));
    expect(before.map((time) => time > '2020')).toEqual(feeds.map(() => true));
    await leave(_id);
    const after = await Promise.all(feeds.map((feed) => updatedOf(queries[feed])));
    expect(after.map((time, index) => time > (before[index] ?? ''))).toEqual(feeds.map(() => true));
  });

  it('should be that of the takedown when no article is left, and stay in another process', async () => {
    const tag = unique('tag');
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    const before = await updatedOf(`?tag=${tag}`);
    await unpublish(_id);
    const after = await updatedOf(`?tag=${tag}`);
    expect(after > before).toBe(true);
    expect(await updatedOf(`?tag=${tag}`, secondClient)).toBe(after);
    await fixture.app.get(OutboxRelay, { strict: false }).run(new AbortController().signal);
    fixture.invalidateCaches();
    expect(await updatedOf(`?tag=${tag}`)).toBe(after);
    await author().put(`/blog/author/id/${_id}`, { title: 'Nobody may see that it was edited' });
    expect(await updatedOf(`?tag=${tag}`)).toBe(after);
  });
});

describe('the feeds of a site with title, description and language', () => {
  it('should have them', async () => {
    const { client } = await openFeedsFixture({
      SITE_TITLE: 'Ada & Co',
      SITE_DESCRIPTION: 'Engines <and> looms',
      SITE_LANGUAGE: 'pt-br',
    });
    const text = async (name: string) => (await client.get(`/feeds/${name}`)).text;
    const rss = await text('rss.xml');
    expect(rss).toContain('<language>pt-BR</language>');
    expect(rss).toMatch(/<title>\s*<!\[CDATA\[Ada & Co\]\]>\s*<\/title>/);
    expect(rss).toMatch(/<description>\s*<!\[CDATA\[Engines <and> looms\]\]>\s*<\/description>/);
    const atom = await text('atom.xml');
    expect(atom).toMatch(/<feed [^>]*xml:lang="pt-BR"/);
    expect(atom).toMatch(/<subtitle>\s*<!\[CDATA\[Engines <and> looms\]\]>\s*<\/subtitle>/);
    expect(JSON.parse(await text('feed.json'))).toMatchObject({
      title: 'Ada & Co',
      description: 'Engines <and> looms',
      language: 'pt-BR',
    });
  });
});
