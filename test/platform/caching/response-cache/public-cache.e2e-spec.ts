import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBlogFixture, type BlogFixture } from '../../../blog/core/fixture.js';
import { BLOG_READS } from '../../../routes/reads.js';
import { blogIn, unknownId, type BlogInState } from '../../../support/factories.js';

const READS = BLOG_READS.filter(({ isCached }) => isCached);

/** Cache tags without blanks, separated by commas. */
const CACHE_TAGS = /^[\w.!~*'()%-]+(,[\w.!~*'()%-]+)*$/;

async function fixtureWith(env: Readonly<Record<string, string>>) {
  const fixture = await openBlogFixture({ env });
  const blog = await blogIn('live', fixture.author, fixture.editor);
  await blogIn('live', fixture.author, fixture.editor);
  return { fixture, blog };
}

describe('PUBLIC_CACHE', () => {
  let fixture: BlogFixture;
  let blog: BlogInState;

  const read = (path: string, headers: Record<string, string> = {}) =>
    fixture.client.get(path, { headers });

  it('should be needed for any shared cache to keep an answer', async () => {
    ({ fixture, blog } = await fixtureWith({ PUBLIC_CACHE_STALE: '1h' }));
    for (const { pathTo } of READS) {
      const path = pathTo({ ...blog, author: fixture.author, similarBlog: blog });
      const { status, headers } = await read(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(headers.get('cdn-cache-control')).toBeNull();
      expect(headers.get('cache-tag')).toBeNull();
    }
  });

  describe('of ten minutes', () => {
    beforeAll(async () => {
      ({ fixture, blog } = await fixtureWith({ PUBLIC_CACHE: '10m' }));
    });

    it.each(READS)('should let a shared cache keep $route once per key', async ({ pathTo }) => {
      const path = pathTo({ ...blog, author: fixture.author, similarBlog: blog });
      // The second answer comes from the response cache, the third has no body.
      const first = await read(path);
      const second = await read(path);
      const third = await read(path, { 'if-none-match': String(first.headers.get('etag')) });
      expect([first, second, third].map(({ status }) => status)).toEqual([200, 200, 304]);
      for (const { headers } of [first, second, third]) {
        expect(headers.get('cache-control')).toBe(
          'public, max-age=0, must-revalidate, s-maxage=600',
        );
        expect(headers.get('vary')).toContain('X-API-Key');
        expect(headers.get('cache-tag')).toMatch(CACHE_TAGS);
        expect(headers.get('cdn-cache-control')).toBeNull();
      }
    });

    it('should name the blog and its author in the cache tags of an article', async () => {
      const { headers } = await read(`/blog/id/${blog._id}`);
      const tags = headers.get('cache-tag')?.split(',');
      expect(tags).toEqual([`blog-${blog._id}`, `author-${fixture.author._id}`]);
    });

    it('should name the tag in its normal form in the cache tag of its list', async () => {
      const { headers } = await read(`/blogs/tag/${encodeURIComponent(' Größe, X ')}`);
      expect(headers.get('cache-tag')).toBe('tag-gr%C3%B6%C3%9Fe%2C%20x');
    });

    it.each([
      ['the answer 404', `/blog/id/${unknownId()}`, 404],
      ['the answer to a wrong query', '/blogs/latest?limit=0', 400],
      ['what is not public', '/blog/author/drafts', 401],
    ])('should let no cache keep %s', async (_label, path, expected) => {
      const { status, headers } = await read(path);
      expect([status, headers.get('cache-control')]).toEqual([expected, 'no-store']);
      expect(headers.get('cache-tag')).toBeNull();
    });
  });

  it('should tell only a CDN, not a browser, how long a copy may be stale', async () => {
    const env = { PUBLIC_CACHE: '90s', PUBLIC_CACHE_STALE: '1h' };
    ({ fixture, blog } = await fixtureWith(env));
    const { headers } = await read(`/blog/id/${blog._id}`);
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate, s-maxage=90');
    expect(headers.get('cdn-cache-control')).toBe(
      'max-age=90, stale-while-revalidate=3600, stale-if-error=3600',
    );
  });
});
