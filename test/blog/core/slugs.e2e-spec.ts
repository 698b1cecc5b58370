import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../support/client.js';
import { blogBody, blogIn, unique } from '../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from './fixture.js';

describe('the slug of a blog', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const createWith = (fields: object): Promise<Answer<Readonly<Record<string, string>>>> =>
    fixture.author.client.post('/blog/author', { ...blogBody(), ...fields });
  const slugOf = async (fields: object): Promise<string | undefined> =>
    (await createWith(fields)).body.data.slug;
  const takenBy = async (slug: string, path = '/blog/author'): Promise<object> => {
    const { other } = fixture;
    const isCreate = path === '/blog/author';
    const { body } = isCreate
      ? await other.client.post(path, blogBody({ slug }))
      : await other.client.put(path, { slug });
    return body;
  };
  const taken = (slug: string): object => ({
    code: '10001',
    status: 400,
    message: `blog with slug: ${slug} already exists`,
    reason: 'slug_taken',
  });

  describe('made from the title', () => {
    const fromTitle = (title: string): Promise<string | undefined> =>
      slugOf({ title, slug: undefined });

    it.each([
      ['Hello, World! Again', 'hello-world-again'],
      ['  Straße & Größe  ', 'straße-größe'],
      ['Привет, мир', 'привет-мир'],
      ['分散システムの設計', '分散システムの設計'],
      ['हिन्दी में लेख', 'हिन्दी-में-लेख'],
      ['v1.0_rc~2 -- ready', 'v1.0_rc~2-ready'],
      ['a/b\\c%2F?d=e#f', 'abc2fdef'],
      ['$draftText', 'drafttext'],
    ])('should make of %j the slug %j', async (title, slug) => {
      expect(await fromTitle(title)).toBe(slug);
    });

    it('should be cut to 200 characters, without a dash at the end', async () => {
      const mark = unique('cut');
      const slug = await fromTitle(`${mark} ${'x'.repeat(198 - mark.length)} ${'y'.repeat(200)}`);
      expect(slug).toBe(`${mark}-${'x'.repeat(198 - mark.length)}`);
      expect(await fromTitle(mark + 'z'.repeat(400))).toBe((mark + 'z'.repeat(400)).slice(0, 200));
    });

    it('should be "blog" when nothing is left, then numbered, then end in a random text', async () => {
      const slugs: (string | undefined)[] = [];
      for (const title of [
        '!!!',
        '???',
        '...',
        '....',
        '🎉🎉🎉',
        '!!!',
        '!!!',
        '!!!',
        '!!!',
        '!!!',
      ]) {
        slugs.push(await fromTitle(title));
      }
      const numbered = Array.from({ length: 8 }, (_, index) => `blog-${index + 2}`);
      expect(slugs.slice(0, 9)).toEqual(['blog', ...numbered]);
      expect(slugs[9]).toMatch(/^blog-[0-9a-z]{4,12}$/);
    });

    it('should cut a slug of 200 characters for its number', async () => {
      const title = unique('long').padEnd(300, 'x');
      expect(await fromTitle(title)).toBe(title.slice(0, 200));
      expect(await fromTitle(title)).toBe(`${title.slice(0, 198)}-2`);
    });

    it('should differ from a slug that is only pending', async () => {
      const mark = unique('pending');
      const { _id } = await blogIn('live', fixture.author, fixture.editor);
      await fixture.author.client.put(`/blog/author/id/${_id}`, { slug: mark });
      expect(await fromTitle(mark)).toBe(`${mark}-2`);
    });
  });

  describe('given by the author', () => {
    it.each([
      [' Given Slug ', 'given-slug'],
      ['UPPER', 'upper'],
      ['Cafe\u0301-au-lait', 'café-au-lait'],
      ['--a---b--', 'a-b'],
      ['a b\tc\u3000d', 'a-b-c-d'],
      ['c++ & c#', 'c-c'],
      ['.hidden', '.hidden'],
      ['٣٤٥', '٣٤٥'],
    ])('should store %j as %j', async (given, slug) => {
      expect(await slugOf({ slug: given })).toBe(slug);
    });

    it.each([
      ['200 characters', 'x'.repeat(200)],
      ['200 characters of two code units', '\u{20000}'.repeat(200)],
      ['200 characters between blanks', `  ${'y'.repeat(200)}\n`],
    ])('should take %s', async (_what, given) => {
      expect(await slugOf({ slug: given })).toBe(given.trim());
    });

    it('should be refused when taken, in any spelling', async () => {
      const mark = unique('taken');
      await createWith({ slug: `${mark}-é` });
      for (const slug of [`${mark}-é`, ` ${mark.toUpperCase()} É! `, `${mark}--e\u0301`]) {
        expect(await takenBy(slug)).toEqual(taken(`${mark}-é`));
      }
    });
  });

  describe('of a live blog', () => {
    it('should stay readable until the new one is published, and then lead to it', async () => {
      const { author, editor, other, client } = fixture;
      const { _id, body, pending } = await blogIn('live in review', author, editor);
      const mine = await other.client.post('/blog/author', blogBody());
      const edit = `/blog/author/id/${mine.body.data._id}`;
      for (const slug of [body.slug, pending.slug]) {
        expect(await takenBy(slug)).toEqual(taken(slug));
        expect(await takenBy(slug, edit)).toEqual(taken(slug));
      }
      expect((await client.get(`/blog/slug/${body.slug}`)).body.data._id).toBe(_id);
      expect((await client.get(`/blog/slug/${pending.slug}`)).status).toBe(404);
      await editor.client.put(`/blog/editor/publish/id/${_id}`);
      expect((await client.get(`/blog/slug/${pending.slug}`)).body.data._id).toBe(_id);
      expect((await client.get(`/blog/slug/${body.slug}`)).status).toBe(301);
      expect(await takenBy(body.slug)).toEqual(taken(body.slug));
      expect(await takenBy(pending.slug, edit)).toEqual(taken(pending.slug));
    });

    it('should free the pending slug when the edit is discarded', async () => {
      const { author, editor } = fixture;
      const { _id, body, pending } = await blogIn('live with draft', author, editor);
      await author.client.put(`/blog/author/discard/${_id}`);
      expect(await takenBy(pending.slug)).toMatchObject({ status: 200 });
      expect(await takenBy(body.slug)).toEqual(taken(body.slug));
    });

    it('should keep the live slug when the blog is taken down, and free it at deletion', async () => {
      const { author, editor } = fixture;
      const { _id, body, pending } = await blogIn('live with draft', author, editor);
      await editor.client.put(`/blog/editor/unpublish/id/${_id}`);
      expect(await takenBy(body.slug)).toEqual(taken(body.slug));
      expect(await takenBy(pending.slug)).toEqual(taken(pending.slug));
      await author.client.delete(`/blog/author/id/${_id}`);
      expect(await takenBy(body.slug)).toMatchObject({ status: 200 });
    });

    it('should free a pending slug that another edit replaces', async () => {
      const { author, editor, db } = fixture;
      const { _id, body, pending } = await blogIn('live with draft', author, editor);
      await author.client.put(`/blog/author/id/${_id}`, { slug: body.slug });
      expect((await storedBlog(db, _id))['slugs']).toEqual([body.slug]);
      expect(await takenBy(pending.slug)).toMatchObject({ status: 200 });
    });
  });
});
