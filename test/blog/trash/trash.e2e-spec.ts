import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { SLUG_LENGTH_MAX } from '../../../src/blog/core/text/slug.js';
import {
  FLAGS,
  openBlogFixture,
  storeCopies,
  storedBlog,
  type BlogFixture,
} from '../core/fixture.js';
import { blogBody, blogIn, person, STATES, unique, type Person } from '../../support/factories.js';

const TRASH = '/blog/author/trash';

describe('the trash of an author', () => {
  let fixture: BlogFixture;
  /** An author in whose trash are only blogs of these tests. */
  let ada: Person;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const remove = ({ client }: Person, id: string) => client.delete(`/blog/author/id/${id}`);
  const undelete = ({ client }: Person, id: string, headers = {}) =>
    client.put(`/blog/author/undelete/id/${id}`, undefined, { headers });
  const idsIn = async ({ client }: Person, query = ''): Promise<string[]> => {
    const { body } = await client.get<{ _id: string }[]>(`${TRASH}${query}`);
    return body.data.map(({ _id }) => _id);
  };

  describe(`GET ${TRASH}`, () => {
    beforeAll(async () => {
      ada = await person(fixture, 'AUTHOR');
    });

    it('should list the blogs that the author has deleted, last deleted first, without texts', async () => {
      const { editor } = fixture;
      const assign = (id: string) =>
        editor.client.put(`/blog/editor/assign/id/${id}`, { editor: editor._id });
      const expected: object[] = [];
      for (const state of STATES) {
        const blog = await blogIn(state, ada, fixture.editor);
        const isAssigned = state.endsWith('in review');
        if (isAssigned) await assign(blog._id);
        await remove(ada, blog._id);
        const isPending = state === 'live with draft' || state === 'live in review';
        const { draftText: _, ...fields } = isPending ? blog.pending : blog.body;
        expected.unshift({
          ...fields,
          _id: blog._id,
          score: 0.01,
          author: { _id: ada._id, name: ada.name },
          submitted: false,
          drafted: false,
          published: false,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          trashedAt: expect.any(String),
          ...(isAssigned ? { assignedTo: { _id: editor._id, name: editor.name } } : {}),
        });
      }
      const { body } = await ada.client.get<{ trashedAt: string; updatedAt: string }[]>(TRASH);
      expect(body.data).toEqual(expected);
      for (const { trashedAt, updatedAt } of body.data) expect(trashedAt).toBe(updatedAt);
      expect(await idsIn(fixture.other)).toEqual([]);
    });

    // The query-plan check fails this file if a page fetches documents that it skips.
    it('should be paginated', async () => {
      const [first = ''] = await idsIn(ada);
      const at = Date.now() + 60_000;
      const copies = await storeCopies(
        fixture.db,
        first,
        Array.from({ length: 60 }, (_, n) => () => ({ slugs: [], trashedAt: new Date(at + n) })),
      );
      const newestFirst = [...copies].reverse();
      expect(await idsIn(ada, '?limit=7')).toEqual(newestFirst.slice(0, 7));
      expect(await idsIn(ada, '?limit=10&page=6')).toEqual(newestFirst.slice(50));
      const _id = { $in: copies.map((id) => new Types.ObjectId(id)) };
      await fixture.db.collection('blogs').deleteMany({ _id });
    });

    it('should not list blogs that an older version deleted', async () => {
      const { _id } = await blogIn('draft', ada, fixture.editor);
      await remove(ada, _id);
      const filter = { _id: new Types.ObjectId(_id) };
      await fixture.db.collection('blogs').updateOne(filter, { $unset: { trashedAt: 1 } });
      expect(await idsIn(ada)).not.toContain(_id);
      expect((await undelete(ada, _id)).status).toBe(404);
    });
  });

  describe('PUT /blog/author/undelete/id/{id}', () => {
    it.each(STATES)(
      'should restore a blog that was %s as a draft with its working copy',
      async (state) => {
        const { author, editor, client, db } = fixture;
        const { _id, body, pending } = await blogIn(state, author, editor);
        const isPending = state === 'live with draft' || state === 'live in review';
        await remove(author, _id);
        const { revisions } = await storedBlog(db, _id);
        const { status, body: answer, headers } = await undelete(author, _id);
        expect([status, answer.message]).toEqual([200, 'blog restored successfully']);
        expect(answer.data).toMatchObject({ ...(isPending ? pending : body), ...FLAGS.draft, _id });
        const stored = await storedBlog(db, _id);
        expect(headers.get('etag')).toBe(`"${stored['rev']}"`);
        expect(stored).toMatchObject({ status: true, slugs: [answer.data.slug] });
        expect(stored['revisions']).toEqual(revisions);
        for (const gone of ['trashedAt', 'deletedAt', 'live'])
          expect(stored).not.toHaveProperty(gone);
        expect((await client.get(`/blog/id/${_id}`)).status).toBe(404);
        expect(await idsIn(author)).not.toContain(_id);
        const { body: history } = await author.client.get(`/blog/author/history/id/${_id}`);
        expect(history.data.slice(0, 2)).toMatchObject([
          { move: 'undelete', from: 'deleted', to: 'draft' },
          { move: 'delete', from: state, to: 'deleted' },
        ]);
      },
    );

    it.each([
      ['a short slug', unique('short')],
      ['a slug of the greatest length', unique('x'.repeat(SLUG_LENGTH_MAX - 20)).padEnd(200, 'y')],
    ])('should append the first free number to a taken slug: %s', async (_length, slug) => {
      const { author, other, editor } = fixture;
      const { _id } = await blogIn('live', author, editor, { slug });
      await remove(author, _id);
      for (const taken of [slug, `${slug.slice(0, SLUG_LENGTH_MAX - 2)}-2`]) {
        const { status } = await other.client.post('/blog/author', blogBody({ slug: taken }));
        expect(status).toBe(200);
      }
      const { body } = await undelete(author, _id);
      const given = `${slug.slice(0, SLUG_LENGTH_MAX - 2)}-3`;
      expect(body.data.slug).toBe(given);
      const message = `another blog has the slug ${slug} now: this one got ${given}`;
      expect(body.warnings).toEqual([{ field: 'slug', message }]);
    });

    it('should say so when the slug of an earlier version gets its present normal form', async () => {
      const { author, editor, db } = fixture;
      const { _id } = await blogIn('draft', author, editor);
      await remove(author, _id);
      const normal = unique('file-cabinet');
      const slug = `\ufe0f-${normal}`;
      await db.collection('blogs').updateOne({ _id: new Types.ObjectId(_id) }, { $set: { slug } });
      const { body } = await undelete(author, _id);
      expect(body.data.slug).toBe(normal);
      const message = `slug ${slug} is not in the present normal form: it is ${normal} now`;
      expect(body.warnings).toEqual([{ field: 'slug', message }]);
    });

    it('should let one of several concurrent requests restore a blog', async () => {
      const { author, editor, db } = fixture;
      const { _id } = await blogIn('draft', author, editor);
      await remove(author, _id);
      const { rev } = await storedBlog(db, _id);
      const answers = await Promise.all(Array.from({ length: 8 }, () => undelete(author, _id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
      expect((await storedBlog(db, _id))['rev']).toBe(rev + 1);
    });
  });
});
