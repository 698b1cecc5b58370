import { beforeAll, describe, expect, it } from '@jest/globals';
import { FORMER_SLUGS_MAX } from '../../../src/blog/core/transitions/live-version.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogBody, blogIn, unique } from '../../support/factories.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

const read = (slug: string, headers: Record<string, string> = {}) =>
  fixture.client.get(`/blog/slug/${slug}`, { headers });

/** The status, and where a redirect leads to. */
async function answerTo(slug: string): Promise<unknown[]> {
  // Twice, so that the second may come from the cache.
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
  it('should lead to the present one, which may be a former one again', async () => {
    const [a, b] = [unique('a'), unique('b')];
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { slug: a });
    expect([await answerTo(a), await answerTo(b)]).toEqual([[200], [404]]);
    await publishAs(_id, b);
    expect([await answerTo(a), await answerTo(b)]).toEqual([[301, b], [200]]);
    await publishAs(_id, a);
    expect([await answerTo(a), await answerTo(b)]).toEqual([[200], [301, a]]);
  });

  it('should be answered in the envelope, and be kept by no cache', async () => {
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

  it('should not be there for a slug that was pending only', async () => {
    const { author, editor } = fixture;
    const [pending, next] = [unique('pending'), unique('next')];
    const { _id } = await blogIn('live', author, editor);
    await ok(author.client.put(`/blog/author/id/${_id}`, { slug: pending }));
    expect(await answerTo(pending)).toEqual([404]);
    await publishAs(_id, next);
    expect(await answerTo(pending)).toEqual([404]);
  });

  it('should be unknown while the blog is not live, and work again after it', async () => {
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

  it('should be taken for all others, until the blog is deleted', async () => {
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

  it('should stay when an edit is discarded', async () => {
    const { author, editor } = fixture;
    const [a, b] = [unique('a'), unique('b')];
    const { _id } = await blogIn('live', author, editor, { slug: a });
    await publishAs(_id, b);
    await ok(author.client.put(`/blog/author/id/${_id}`, { slug: unique('c') }));
    await ok(author.client.put(`/blog/author/discard/${_id}`));
    expect([await answerTo(a), await answerTo(b)]).toEqual([[301, b], [200]]);
  });

  it(`should be one of the newest ${FORMER_SLUGS_MAX}`, async () => {
    const slugs = Array.from({ length: FORMER_SLUGS_MAX + 2 }, () => unique('slug'));
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { slug: slugs[0]! });
    for (const slug of slugs.slice(1)) await publishAs(_id, slug);
    const last = slugs.at(-1)!;
    const answers = await Promise.all(slugs.map(answerTo));
    expect(answers).toEqual([[404], ...slugs.slice(1, -1).map(() => [301, last]), [200]]);
  });
});
