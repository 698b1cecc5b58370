import { beforeAll, describe, expect, it } from '@jest/globals';
import { FORMER_SLUGS_MAX } from '../../../src/blog/core/transitions/live-version.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { BLOG_READS } from '../../routes/reads.js';
import { blogBody, blogIn, unique, unknownId } from '../../support/factories.js';

/** The headers that a 304 shares with the 200 (RFC 9110, section 15.4.5). */
const SHARED_HEADERS = ['etag', 'cache-control', 'vary', 'x-content-type-options'];

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

const read = (slug: string, headers: Record<string, string> = {}) =>
  fixture.client.get(`/blog/slug/${encodeURIComponent(slug)}`, { headers });

/** The status, and the target of a redirect. */
async function answerTo(slug: string): Promise<unknown[]> {
  // The slug is read twice, so that the second answer may come from the cache.
  await read(slug);
  const { status, headers } = await read(slug);
  const location = headers.get('location');
  return location === null ? [status] : [status, location];
}

const ok = async (answer: Promise<{ status: number }>): Promise<void> => {
  expect((await answer).status).toBe(200);
};

async function publishAs(id: string, slug: string): Promise<void> {
  const { author, editor } = fixture;
  await ok(author.client.put(`/blog/author/id/${id}`, { slug }));
  await ok(author.client.put(`/blog/author/submit/${id}`));
  await ok(editor.client.put(`/blog/editor/publish/id/${id}`));
}

const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);

describe('a former slug', () => {
  it('should redirect to the current slug, which may have been a former slug', async () => {
    const [a, b] = [unique('a'), unique('b')];
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { slug: a });
    expect([await answerTo(a), await answerTo(b)]).toEqual([[200], [404]]);
    await publishAs(_id, b);
    expect([await answerTo(a), await answerTo(b)]).toEqual([[301, b], [200]]);
    await publishAs(_id, a);
    expect([await answerTo(a), await answerTo(b)]).toEqual([[200], [301, a]]);
  });

  it('should redirect with an envelope and no-cache, also for HEAD and a path that ends in a slash', async () => {
    const [a, b] = [unique('a'), unique('\u00e4')];
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { slug: a });
    await publishAs(_id, b);
    const { status, headers, body } = await read(a, { 'if-none-match': '*' });
    expect(body).toEqual({
      code: '10001',
      status: 301,
      message: 'the blog has moved: read the path in Location',
      reason: 'blog_moved',
    });
    expect([status, headers.get('cache-control')]).toEqual([301, 'no-cache']);
    for (const path of [`/blog/slug/${a}`, `/blog/slug/${a}/`, `/blog/slug/${a}/?utm_source=x/`]) {
      const { headers } = await fixture.client.get(path);
      const { pathname } = new URL(headers.get('location') ?? '', fixture.url + path);
      expect((await fixture.client.get(pathname)).body.data._id).toBe(_id);
    }
    const head = await fixture.client.request('HEAD', `/blog/slug/${a}`);
    expect([head.status, head.text]).toEqual([301, '']);
  });

  it('should not be made of a slug that was only pending', async () => {
    const { author, editor } = fixture;
    const [pending, next] = [unique('pending'), unique('next')];
    const { _id } = await blogIn('live', author, editor);
    await ok(author.client.put(`/blog/author/id/${_id}`, { slug: pending }));
    expect(await answerTo(pending)).toEqual([404]);
    await publishAs(_id, next);
    expect(await answerTo(pending)).toEqual([404]);
  });

  it('should be unknown while the blog is not live, and redirect again afterwards', async () => {
    const [a, b, c] = [unique('a'), unique('b'), unique('c')];
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { slug: a });
    await publishAs(_id, b);
    await ok(unpublish(_id));
    expect([await answerTo(a), await answerTo(b)]).toEqual([[404], [404]]);
    await publishAs(_id, c);
    expect([await answerTo(a), await answerTo(b)]).toEqual([
      [301, c],
      [301, c],
    ]);
  });

  it('should be unavailable to other blogs until its own blog is deleted', async () => {
    const { author, other, editor } = fixture;
    const [a, b] = [unique('a'), unique('b')];
    const { _id } = await blogIn('live', author, editor, { slug: a });
    await publishAs(_id, b);
    const post = () => other.client.post('/blog/author', blogBody({ slug: a }));
    expect((await post()).status).toBe(400);
    await ok(author.client.delete(`/blog/author/id/${_id}`));
    expect([await answerTo(a), await answerTo(b)]).toEqual([[404], [404]]);
    expect((await post()).status).toBe(200);
    expect(await answerTo(a)).toEqual([404]);
  });

  it(`should be kept if it is one of the newest ${FORMER_SLUGS_MAX}`, async () => {
    const slugs = Array.from({ length: FORMER_SLUGS_MAX + 2 }, () => unique('slug'));
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { slug: slugs[0]! });
    for (const slug of slugs.slice(1)) await publishAs(_id, slug);
    const last = slugs.at(-1)!;
    const answers = await Promise.all(slugs.map(answerTo));
    expect(answers).toEqual([[404], ...slugs.slice(1, -1).map(() => [301, last]), [200]]);
  });
});

describe('GET /blog/id/{id} and GET /blog/slug/{slug}', () => {
  const live = (overrides: object = {}) =>
    blogIn('live', fixture.author, fixture.editor, overrides);

  it('should answer the same by id, in either letter case, and by slug', async () => {
    const { _id, body } = await live();
    const byId = await fixture.client.get(`/blog/id/${_id}`);
    expect(byId.body.message).toBe('success');
    expect((await fixture.client.get(`/blog/id/${_id.toUpperCase()}`)).text).toBe(byId.text);
    expect((await read(body.slug)).text).toBe(byId.text);
    expect((await fixture.client.get(`/blog/slug/${body.slug}/`)).text).toBe(byId.text);
  });

  it('should find a slug however a client spells it', async () => {
    const { _id } = await live({ slug: 'Straße des 17. Juni é' });
    for (const slug of ['STRAßE-DES-17.-JUNI-É', ' straße--des-17. juni-e\u0301 ']) {
      expect([slug, (await read(slug)).body.data?._id]).toEqual([slug, _id]);
    }
    expect((await read('strasse-des-17.-juni-é')).status).toBe(404);
  });

  it('should find nothing by an invalid slug', async () => {
    await live();
    for (const slug of ['x'.repeat(300), '!!!', '{"$gt":""}', '../../../etc', 'a\0b']) {
      const { status, body } = await read(slug);
      expect([slug, status, body.message]).toEqual([slug, 404, 'blog not found']);
    }
  });

  it.each(['/blog/slug/%', '/blog/slug/%ff', '/blogs/tag/%E0%A4%A'])(
    'should refuse %s, which is not validly encoded',
    async (path) => {
      const { status, body } = await fixture.client.get(path);
      expect([status, body.message]).toEqual([400, 'the path is not validly percent-encoded']);
    },
  );
});

// conditional-get.spec.ts proves which ETags If-None-Match names. publish-boundary.e2e-spec.ts proves that no old
// ETag matches.
describe.each(BLOG_READS)('$route', ({ pathTo }) => {
  let path: string;

  beforeAll(async () => {
    const { author, editor, db } = fixture;
    await db.collection('blogs').deleteMany({});
    const blog = await blogIn('live', author, editor);
    path = pathTo({ ...blog, author, similarBlog: blog });
  });

  const ask = (headers: Record<string, string | null>, method = 'GET') =>
    fixture.client.request(method, path, { headers });

  it('should have a strong ETag, make caches revalidate, and vary by encoding', async () => {
    const { headers } = await ask({});
    expect(headers.get('etag')).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')).toContain('Accept-Encoding');
    expect((await ask({})).headers.get('etag')).toBe(headers.get('etag'));
  });

  it('should answer 304 without a body when If-None-Match names the ETag', async () => {
    const fresh = await ask({});
    const etag = String(fresh.headers.get('etag'));
    for (const value of [etag, '*', `W/"a",W/${etag} ,"b,c"`]) {
      const answer = await ask({ 'if-none-match': value });
      expect([value, answer.status, answer.text]).toEqual([value, 304, '']);
      for (const name of SHARED_HEADERS) {
        expect([name, answer.headers.get(name)]).toEqual([name, fresh.headers.get(name)]);
      }
      expect(answer.headers.get('content-type')).toBeNull();
    }
  });

  it('should answer HEAD with the headers of GET and no body', async () => {
    // A compressed answer has another ETag.
    const got = await ask({ 'accept-encoding': 'identity' });
    const answer = await ask({}, 'HEAD');
    expect([answer.status, answer.text]).toEqual([200, '']);
    for (const name of [...SHARED_HEADERS, 'content-type', 'content-length']) {
      expect([name, answer.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    }
    const unchanged = await ask({ 'if-none-match': got.headers.get('etag') }, 'HEAD');
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  });
});

describe('a refusal of a public read', () => {
  it.each([
    [404, () => `/blog/id/${unknownId()}`],
    [404, () => '/blog/slug/unknown'],
    [400, () => '/blogs/latest?page=0'],
  ])('should not become a 304 or be cached: %d', async (status, path) => {
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
