import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { BlogFixture } from '../blog/core/fixture.js';
import { storedBlog, storeTimeline } from '../blog/core/fixture.js';
import { blogIn, unknownId } from '../support/factories.js';
import { FEED_PATHS, openFeedsFixture, readFeed, SITE } from './fixture.js';

const TYPES = {
  '/feeds/rss.xml': 'application/rss+xml; charset=utf-8',
  '/feeds/atom.xml': 'application/atom+xml; charset=utf-8',
  '/feeds/feed.json': 'application/feed+json; charset=utf-8',
};

/** Breaks XML that does not escape it. Lacks NUL and lone surrogates, because no field of a blog may hold them. */
const HOSTILE =
  'A ]]> & <b>"x"</b> &amp; <![CDATA[ \u0001\u001f\ufffe\uffff é漢😀\u007f\ufffd --> ';
/** HOSTILE as a parser reads it from a feed. */
const HOSTILE_AS_READ = 'A ]]> & <b>"x"</b> &amp; <![CDATA[  é漢😀\u007f\ufffd -->';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openFeedsFixture();
});

beforeEach(async () => {
  await fixture.db.collection('blogs').deleteMany({});
  fixture.invalidateCaches();
});

const createLive = (overrides = {}) => blogIn('live', fixture.author, fixture.editor, overrides);

describe.each(FEED_PATHS)('GET %s', (path) => {
  it('should hold all that readers see of an article', async () => {
    const { _id, body } = await createLive();
    const { live: stored } = await storedBlog(fixture.db, _id);
    const published = stored.at.toISOString();
    const feed = await readFeed(fixture.client, path);
    expect(feed).toEqual({
      title: 'blog.example',
      siteUrl: `${SITE}/`,
      selfUrl: `${SITE}${path}`,
      entries: [
        {
          id: `tag:blog.example,${published.slice(0, 10)}:blog/${_id}`,
          url: `${SITE}/${body.slug}`,
          title: body.title,
          author: fixture.author.name,
          tags: body.tags,
          image: body.imgUrl,
          // RSS has whole seconds.
          published: path.endsWith('rss.xml') ? published.replace(/\.\d+/, '.000') : published,
          summary: body.description,
          text: body.draftText,
        },
      ],
    });
    const { headers } = await fixture.client.get(path);
    expect(headers.get('content-type')).toBe(TYPES[path]);
  });

  it('should be a feed without entries while nothing is live', async () => {
    await blogIn('in review', fixture.author, fixture.editor);
    expect((await readFeed(fixture.client, path)).entries).toEqual([]);
    // Without entries, validators ask for an author of the feed itself.
    const { text } = await fixture.client.get(path);
    if (path.endsWith('atom.xml')) expect(text).toMatch(/<author>\s*<name>blog\.example<\/name>/);
  });

  it('should keep texts that look like markup as they are', async () => {
    const draftText = '<pre><code>]]&gt; &amp;amp; &lt;![CDATA[ \u0001😀</code></pre>';
    const { _id } = await createLive({ tags: ['a]]>&<b>'], draftText });
    // Earlier versions accepted control characters.
    const $set = { 'live.title': HOSTILE.trim(), 'live.description': HOSTILE.trim() };
    await fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(_id) }, { $set });
    fixture.invalidateCaches();
    const { entries } = await readFeed(fixture.client, path);
    const summary = path.endsWith('rss.xml')
      ? HOSTILE_AS_READ.replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;')
      : HOSTILE_AS_READ;
    const text = draftText.replace('\u0001', '');
    expect(entries).toMatchObject([{ title: HOSTILE_AS_READ, summary, tags: ['a]]>&<b>'], text }]);
  });

  it('should make the links of a text absolute', async () => {
    const draftText =
      '<p><a href="/x?a=1&amp;b=2">a</a> <img src="/i.png" /> <a href="#">b</a></p>';
    const { body } = await createLive({ draftText, slug: 'größe-漢' });
    const { entries } = await readFeed(fixture.client, path);
    const url = `${SITE}/gr%C3%B6%C3%9Fe-%E6%BC%A2`;
    expect(body.slug).toBe('größe-漢');
    expect(entries[0]?.url).toBe(url);
    expect(entries[0]?.text).toBe(
      `<p><a href="${SITE}/x?a=1&amp;b=2">a</a> <img src="${SITE}/i.png" /> <a href="${url}#">b</a></p>`,
    );
  });

  it('should hold the articles of a tag', async () => {
    const { body } = await createLive({ tags: ['Größe & Ähre'] });
    await createLive();
    const otherTag = new URLSearchParams({ tag: ' GRÖSSE & ähre ' }).toString();
    const other = await readFeed(fixture.client, `${path}?${otherTag}`);
    expect(other.entries).toEqual([]);
    const sameTag = new URLSearchParams({ tag: 'größe & ähre' }).toString();
    const feed = await readFeed(fixture.client, `${path}?${sameTag}`);
    expect(feed).toMatchObject({
      title: 'blog.example: größe & ähre',
      selfUrl: `${SITE}${path}?${sameTag}`,
      entries: [{ title: body.title }],
    });
  });

  it('should hold the articles of an author', async () => {
    const { body } = await createLive();
    await blogIn('live', fixture.other, fixture.editor);
    const { _id, name } = fixture.author;
    const feed = await readFeed(fixture.client, `${path}?author=${_id}`);
    expect(feed).toMatchObject({
      title: `blog.example: ${name}`,
      selfUrl: `${SITE}${path}?author=${_id}`,
      entries: [{ title: body.title }],
    });
    expect(feed.entries).toHaveLength(1);
    expect((await readFeed(fixture.client, `${path}?author=${unknownId()}`)).entries).toEqual([]);
  });

  it('should have the same bytes and ETag until an article changes, and answer 304 to the ETag', async () => {
    const { _id } = await createLive();
    const first = await fixture.client.get(path);
    fixture.invalidateCaches();
    const second = await fixture.client.get(path);
    expect(second.text).toBe(first.text);
    const headers = { 'if-none-match': first.headers.get('etag') };
    const again = await fixture.client.get(path, { headers });
    expect([again.status, again.text]).toEqual([304, '']);
    await fixture.editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    const changed = await fixture.client.get(path, { headers });
    expect([changed.status, changed.text.includes(_id)]).toEqual([200, false]);
  });
});

describe('a feed', () => {
  const [path] = FEED_PATHS;

  it('should hold the newest 30 articles', async () => {
    const ids = await storeTimeline(fixture, 32, () => ['x']);
    fixture.invalidateCaches();
    const { entries } = await readFeed(fixture.client, path);
    expect(entries.map(({ id }) => id.split('/')[1])).toEqual(ids.slice(0, 30));
  });

  it('should refuse a tag together with an author', async () => {
    const { status, body } = await fixture.client.get(`${path}?tag=x&author=${unknownId()}`);
    expect([status, body.message]).toEqual([400, 'tag must not stand beside author']);
  });

  it('should show the new name of an author at once', async () => {
    await createLive();
    const { name } = fixture.author;
    for (let n = 0; n < 3; n++) {
      expect((await readFeed(fixture.client, path)).entries[0]?.author).toBe(name);
    }
    await fixture.author.client.put('/profile/mine', { name: 'Renamed & <b>' });
    expect((await readFeed(fixture.client, path)).entries[0]?.author).toBe('Renamed & <b>');
    await fixture.author.client.put('/profile/mine', { name });
  });
});
