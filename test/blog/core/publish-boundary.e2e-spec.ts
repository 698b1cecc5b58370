import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BLOG_READS,
  DOCUMENT_READS,
  itemsIn,
  PREVIEW_READS,
  type BlogRead,
} from '../../routes/reads.js';
import type { Client } from '../../support/client.js';
import { FIELD_NAMES, textsOf, type BlogBody } from '../../support/blog-fields.js';
import { blogBody, blogIn, STATES, type BlogInState, type State } from '../../support/factories.js';
import { newPreview, previewOf } from '../../support/previews.js';
import { FLAGS, openBlogFixture, type BlogFixture } from './fixture.js';

describe('the publish boundary', () => {
  let fixture: BlogFixture;
  let client: Client;
  let otherBlog: BlogInState;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    ({ client } = fixture);
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
    otherBlog = await blogIn('live', fixture.author, fixture.editor);
  });

  /** The path of a read that shows a blog while it is live. */
  const pathTo = (read: BlogRead, blog: Pick<BlogInState, '_id' | 'body'>): string =>
    read.pathTo({ ...blog, author: fixture.author, similarBlog: otherBlog });

  /** The paths of all public reads of this blog, also by its pending slug and tags. */
  function readsOf(blog: BlogInState): string[] {
    const { author } = fixture;
    const paths = BLOG_READS.flatMap((read) => [
      pathTo(read, blog),
      pathTo(read, { ...blog, body: blog.pending }),
      // The list of blogs that are similar to this one.
      read.pathTo({ ...blog, author, similarBlog: blog }),
    ]);
    const documents = DOCUMENT_READS.flatMap((path) => [
      path,
      // A feed contains its own URL. A tag of the blog in the query would be found there, so the query has none.
      ...(path.startsWith('/feeds/') ? [`${path}?author=${author._id}`] : []),
    ]);
    return [...new Set([...paths, ...documents])];
  }

  const submit = (id: string) => fixture.author.client.put(`/blog/author/submit/${id}`);
  const publish = (id: string) => fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
  const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);
  const edit = (id: string, changes: Partial<BlogBody>) =>
    fixture.author.client.put(`/blog/author/id/${id}`, changes);

  const inState = (state: State): Promise<BlogInState> =>
    blogIn(state, fixture.author, fixture.editor);

  async function expectNowhere(values: readonly string[], reads: readonly string[]): Promise<void> {
    for (const path of reads) {
      const { text } = await client.get(path);
      const found = values.filter((value) => text.includes(value));
      expect([path, found]).toEqual([path, []]);
    }
  }

  it.each(STATES.filter((state) => !FLAGS[state].published))(
    'should show nothing of a blog that is %s: no text, no list item, 404 for itself',
    async (state) => {
      const blog = await inState(state);
      await expectNowhere(textsOf(blog.body), readsOf(blog));
      for (const read of BLOG_READS) {
        const { status, body } = await client.get(pathTo(read, blog));
        expect([read.route, status]).toEqual([read.route, read.isList ? 200 : 404]);
        const items = read.isList ? itemsIn(body.data) : [];
        expect(items.filter(({ _id }) => _id !== otherBlog._id)).toEqual([]);
      }
    },
  );

  it.each(STATES.filter((state) => FLAGS[state].published))(
    'should show what was published of a blog that is %s, and nothing of its pending fields',
    async (state) => {
      const blog = await inState(state);
      const { draftText: text, ...shared } = blog.body;
      const author = { _id: fixture.author._id, name: fixture.author.name };
      const item = {
        ...shared,
        _id: blog._id,
        score: 0.01,
        author,
        readingMinutes: 1,
        publishedAt: expect.any(String),
        updatedAt: expect.any(String),
      };
      for (const read of BLOG_READS) {
        const { body } = await client.get(pathTo(read, blog));
        expect([read.route, body.message]).toEqual([read.route, 'success']);
        if (read.isList) expect(itemsIn(body.data)).toContainEqual(expect.objectContaining(item));
        else expect(body.data).toEqual({ ...item, text, toc: [] });
      }
      await expectNowhere(textsOf(blog.pending), readsOf(blog));
      const bySlug = await client.get(`/blog/slug/${blog.pending.slug}`);
      expect([bySlug.status, bySlug.body.message]).toEqual([404, 'blog not found']);
    },
  );

  it.each(FIELD_NAMES)(
    'should change no ETag because of a pending %s until it is published, and then show it',
    async (field) => {
      const blog = await inState('live');
      const { _id, body } = blog;
      const reads = [
        `/blog/id/${_id}`,
        ...BLOG_READS.map((read) => pathTo(read, blog)),
        ...DOCUMENT_READS,
      ];
      const etags = async (): Promise<(string | null)[]> => {
        const answers = await Promise.all(reads.map((path) => client.get(path)));
        return answers.map(({ headers }) => headers.get('etag'));
      };
      const before = await etags();
      const next = blogBody();
      await edit(_id, { [field]: next[field] });
      expect(await etags()).toEqual(before);
      await submit(_id);
      expect(await etags()).toEqual(before);
      await publish(_id);
      const shown = (await client.get(`/blog/id/${_id}`)).body.data;
      const { draftText: text, ...shared } = { ...body, [field]: next[field] };
      expect(shown).toMatchObject({ ...shared, text });
      expect((await etags())[0]).not.toBe(before[0]);
    },
  );

  it('should answer no read with 304 for an ETag from before a publish', async () => {
    const blog = await inState('live in review');
    const reads = BLOG_READS.map((read) => pathTo(read, blog));
    const old = await Promise.all(
      reads.map(async (path) => [path, (await client.get(path)).headers.get('etag')] as const),
    );
    const askAgain = async (): Promise<number[]> => {
      const answers = old.map(([path, etag]) =>
        client.get(path, { headers: { 'if-none-match': etag } }),
      );
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(new Set(await askAgain())).toEqual(new Set([304]));
    await publish(blog._id);
    expect(await askAgain()).not.toContain(304);
    const { headers } = await client.get(`/blog/id/${blog._id}`);
    await unpublish(blog._id);
    const gone = await client.get(`/blog/id/${blog._id}`, {
      headers: { 'if-none-match': headers.get('etag') },
    });
    expect(gone.status).toBe(404);
  });

  it('should show all new values and no old ones as soon as a publish is answered', async () => {
    const blog = await inState('live in review');
    await publish(blog._id);
    await expectNowhere(textsOf(blog.body), readsOf({ ...blog, body: blog.pending }));
    const { body } = await client.get(`/blog/slug/${blog.pending.slug}`);
    const { draftText: text, ...shared } = blog.pending;
    expect(body.data).toMatchObject({ ...shared, text });
    const former = await client.get(`/blog/slug/${blog.body.slug}`);
    expect([former.status, former.headers.get('location')]).toEqual([301, blog.pending.slug]);
    expect((await client.get(`/blogs/tag/${String(blog.body.tags[0])}`)).body.data).toEqual([]);
  });

  it.each([
    ['an unpublish', unpublish],
    ['a delete', (id: string) => fixture.author.client.delete(`/blog/author/id/${id}`)],
  ])('should hide everything immediately after %s', async (_label, takeDown) => {
    const blog = await inState('live with draft');
    const { status } = await takeDown(blog._id);
    expect(status).toBe(200);
    await expectNowhere([...textsOf(blog.body), ...textsOf(blog.pending)], readsOf(blog));
    for (const path of [`/blog/id/${blog._id}`, `/blog/slug/${blog.body.slug}`]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    }
  });

  describe('a preview, the only exception', () => {
    it('should be one route, whose answers are never cached', async () => {
      expect(PREVIEW_READS.map(({ route }) => route)).toEqual(['GET /blog/preview/:token']);
      const endpoints = PREVIEW_READS.map(({ endpoint }) => endpoint);
      expect(endpoints).toEqual([expect.not.objectContaining({ cache: expect.anything() })]);
      const { _id } = await inState('draft');
      const path = `/blog/preview/${await newPreview(fixture.author, 'author', _id)}`;
      for (const headers of [{}, { 'if-none-match': '*' }]) {
        const answer = await client.get(path, { headers });
        const sent = ['cache-control', 'etag', 'x-robots-tag'].map((name) =>
          answer.headers.get(name),
        );
        expect([answer.status, ...sent]).toEqual([200, 'no-store', null, 'noindex']);
      }
    });

    it.each(STATES)(
      'should show four fields of the working copy of a blog that is %s, and let no other read show unpublished values',
      async (state) => {
        const blog = await inState(state);
        const hasPending = FLAGS[state].published && state !== 'live';
        const shown = previewOf(hasPending ? blog.pending : blog.body);
        const tokens = [await newPreview(fixture.author, 'author', blog._id)];
        if (FLAGS[state].submitted) {
          tokens.push(await newPreview(fixture.editor, 'editor', blog._id));
        }
        for (const token of tokens) {
          const { body } = await client.get(`/blog/preview/${token}`);
          expect(body.data).toEqual(shown);
        }
        const hidden = FLAGS[state].published ? blog.pending : blog.body;
        await expectNowhere([...textsOf(hidden), ...tokens], readsOf(blog));
      },
    );
  });
});
