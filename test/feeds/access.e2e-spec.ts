import { describe, expect, it } from '@jest/globals';
import { blogIn } from '../support/factories.js';
import { API_ROUTES } from '../routes/routes.js';
import { FEED_PATHS, openFeedsFixture } from './fixture.js';

const PATHS = [...FEED_PATHS, '/sitemap.xml'];
const WITHOUT_KEY = { headers: { 'x-api-key': null } };

describe('feeds and sitemap', () => {
  it('should need no API key with PUBLIC_FEEDS=on, which opens no other route', async () => {
    const open = await openFeedsFixture({ PUBLIC_FEEDS: 'on', PUBLIC_CACHE: '10m' });
    for (const path of PATHS) {
      for (const headers of [{ 'x-api-key': null }, { 'x-api-key': 'no such key' }]) {
        expect((await open.client.get(path, { headers })).status).toBe(200);
      }
    }
    const others = API_ROUTES.filter(
      ({ method, path, access }) => method === 'GET' && access.apiKey && !PATHS.includes(path),
    );
    expect(others.length).toBeGreaterThan(20);
    for (const { path } of others) {
      expect([path, (await open.client.get(path, WITHOUT_KEY)).status]).toEqual([path, 401]);
    }
    await open.close();
  });

  it('should be served from the cache without a key, and changed at once', async () => {
    const fixture = await openFeedsFixture({ PUBLIC_FEEDS: 'on' });
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
    await fixture.close();
  });

  it('should be 404 and name the setting without SITE_URL', async () => {
    const fixture = await openFeedsFixture({ SITE_URL: '' });
    for (const path of PATHS) {
      const { status, body } = await fixture.client.get(path);
      expect([status, body]).toEqual([
        404,
        {
          code: '10001',
          status: 404,
          message: 'feeds and sitemap need the setting SITE_URL',
          reason: 'site_url_missing',
        },
      ]);
    }
    await fixture.close();
  });

  it('should name to a CDN what to purge them by', async () => {
    const fixture = await openFeedsFixture({ PUBLIC_CACHE: '10m' });
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
    await fixture.close();
  });
});
