import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { BLOG_READS } from '../../routes/reads.js';
import { blogIn, unknownId, type BlogInState } from '../../support/factories.js';

/** What a 304 shares with the 200 it stands for (RFC 9110, section 15.4.5). */
const SHARED_HEADERS = ['etag', 'cache-control', 'vary', 'x-content-type-options'];

let fixture: BlogFixture;
let blog: BlogInState;

beforeAll(async () => {
  fixture = await openBlogFixture();
  blog = await blogIn('live', fixture.author, fixture.editor);
  await blogIn('live', fixture.author, fixture.editor);
});

// conditional-get.spec.ts proves which tags a header names.
describe.each(BLOG_READS)('$route', ({ pathTo }) => {
  let path: string;

  beforeAll(() => {
    path = pathTo({ ...blog, author: fixture.author, similarBlog: blog });
  });

  const read = (headers: Record<string, string | null> = {}) =>
    fixture.client.get(path, { headers });
  const head = (headers: Record<string, string | null> = {}) =>
    fixture.client.request('HEAD', path, { headers });

  it('should carry a strong ETag, ask caches to check, and vary by coding', async () => {
    const { headers } = await read();
    expect(headers.get('etag')).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')).toContain('Accept-Encoding');
    expect((await read()).headers.get('etag')).toBe(headers.get('etag'));
  });

  it('should answer 304 without a body when If-None-Match names the tag', async () => {
    const fresh = await read();
    const etag = String(fresh.headers.get('etag'));
    for (const value of [etag, '*', `W/"a",W/${etag} ,"b,c"`]) {
      const answer = await read({ 'if-none-match': value });
      expect([value, answer.status, answer.text]).toEqual([value, 304, '']);
      for (const name of SHARED_HEADERS) {
        expect([name, answer.headers.get(name)]).toEqual([name, fresh.headers.get(name)]);
      }
      expect(answer.headers.get('content-type')).toBeNull();
    }
  });

  it('should answer 200 when If-None-Match names another tag, or none', async () => {
    const etag = String((await read()).headers.get('etag'));
    const bare = etag.slice(1, -1);
    for (const value of [`W/"other", "another"`, bare, '']) {
      const answer = await read({ 'if-none-match': value });
      expect([value, answer.status]).toEqual([value, 200]);
    }
  });

  it('should answer HEAD with the headers of GET and no body', async () => {
    // A compressed answer has another tag.
    const got = await read({ 'accept-encoding': 'identity' });
    const answer = await head();
    expect([answer.status, answer.text]).toEqual([200, '']);
    for (const name of [...SHARED_HEADERS, 'content-type', 'content-length']) {
      expect([name, answer.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    }
    const unchanged = await head({ 'if-none-match': got.headers.get('etag') });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  });
});

describe('a refusal of a public read', () => {
  it.each([
    [404, () => `/blog/id/${unknownId()}`],
    [404, () => '/blog/slug/unknown'],
    [400, () => '/blogs/latest?page=0'],
  ])('should be no 304 and not be kept: %d', async (status, path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fixture.client.request(method, path(), {
        headers: { 'if-none-match': '*' },
      });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('etag')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });
});
