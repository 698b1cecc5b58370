import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BlogFixture } from '../blog/core/fixture.js';
import { blogIn } from '../support/factories.js';
import { API_ROUTES } from '../routes/routes.js';
import { FEED_PATHS, openFeedsFixture, readFeed } from './fixture.js';

const PATHS = [...FEED_PATHS, '/sitemap.xml'];
const WITHOUT_KEY = { headers: { 'x-api-key': null } };

describe('feeds and sitemap', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openFeedsFixture({
      PUBLIC_FEEDS: 'on',
      PUBLIC_CACHE: '10m',
      FEED_TEXT: 'description',
      SITE_URL: 'https://Example.org:8443/blog/',
      SITE_ARTICLE_PATH: '/read?id={id}&slug={slug}',
    });
  });

  it('should need no API key with PUBLIC_FEEDS=on, which opens no other route', async () => {
    for (const path of PATHS) {
      for (const headers of [{ 'x-api-key': null }, { 'x-api-key': 'no such key' }]) {
        expect((await fixture.client.get(path, { headers })).status).toBe(200);
      }
    }
    const others = API_ROUTES.filter(
      ({ method, path, access }) => method === 'GET' && access.apiKey && !PATHS.includes(path),
    );
    expect(others.length).toBeGreaterThan(20);
    for (const { path } of others) {
      expect([path, (await fixture.client.get(path, WITHOUT_KEY)).status]).toEqual([path, 401]);
    }
  });

  it('should be up to date at once without a key, also after repeated requests', async () => {
    const { _id, body } = await blogIn('live', fixture.author, fixture.editor);
    for (const path of FEED_PATHS) {
      for (let n = 0; n < 3; n++) {
        const { text, headers } = await fixture.client.get(path, WITHOUT_KEY);
        expect(text).toContain(body.title);
        expect(headers.get('content-type')).toMatch(/^application\/(rss|atom|feed)\+/);
      }
    }
    await fixture.editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    for (const path of FEED_PATHS) {
      expect((await fixture.client.get(path, WITHOUT_KEY)).text).not.toContain(body.title);
    }
  });

  it('should build URLs from the settings, and with FEED_TEXT=description hold only the description', async () => {
    const { _id, body } = await blogIn('live', fixture.author, fixture.editor);
    const url = `https://example.org:8443/blog/read?id=${_id}&slug=${body.slug}`;
    for (const path of FEED_PATHS) {
      const feed = await readFeed(fixture.client, path);
      expect(feed).toMatchObject({
        title: 'example.org:8443',
        siteUrl: 'https://example.org:8443/blog/',
        selfUrl: `https://example.org:8443/blog${path}`,
        entries: [{ url, summary: body.description }],
      });
      expect(feed.entries[0]?.text).toBeUndefined();
    }
  });

  it('should have the cache tags by which a CDN purges them', async () => {
    const { author } = fixture;
    await blogIn('live', author, fixture.editor);
    const tagsOf = async (path: string) =>
      (await fixture.client.get(path)).headers.get('cache-tag');
    expect(await tagsOf('/feeds/rss.xml')).toBe(`blogs,author-${author._id}`);
    expect(await tagsOf('/feeds/rss.xml?tag=X%20y')).toBe('tag-x%20y');
    expect(await tagsOf(`/feeds/feed.json?author=${author._id}`)).toBe(
      `author-list-${author._id},author-${author._id}`,
    );
    expect(await tagsOf('/sitemap.xml')).toBe('blogs');
  });

  it('should answer 404 without SITE_URL, and name this setting', async () => {
    const { client } = await openFeedsFixture({ SITE_URL: '' });
    for (const path of PATHS) {
      expect((await client.get(path)).body).toEqual({
        code: '10001',
        status: 404,
        message: 'feeds and sitemap need the setting SITE_URL',
        reason: 'site_url_missing',
      });
    }
  });
});
