import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { FIELD_NAMES, withDerived, type BlogBody } from '../../support/blog-fields.js';
import { expectFieldErrors } from '../../support/checks/bad-bodies.js';
import { blogBody, blogIn, unique, unknownId } from '../../support/factories.js';
import { ACCEPTED, REFUSED } from './field-cases.js';

/** The stored fields that every write changes. */
const CHANGED_BY_EVERY_WRITE = ['events', 'rev', 'updatedAt', 'updatedBy'];
const MALFORMED_ID = { field: '_id', message: '_id must be 24 hexadecimal characters' };

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

describe('POST /blog/author', () => {
  const create = (body: object) => fixture.author.client.post('/blog/author', body);
  const count = () => fixture.db.collection('blogs').countDocuments();

  it('should answer with the author view of a draft', async () => {
    const body = blogBody();
    const { author } = fixture;
    const answer = await create(body);
    expect(answer.body).toEqual({
      code: '10000',
      status: 200,
      message: 'blog created successfully',
      data: {
        ...body,
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        author: { _id: author._id, name: author.name },
        score: 0.01,
        submitted: false,
        drafted: true,
        published: false,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: answer.body.data.createdAt,
      },
    });
    const stored = await storedBlog(fixture.db, answer.body.data._id);
    expect(stored).toMatchObject({ status: true, rev: 1, slugs: [body.slug] });
    for (const field of ['author', 'createdBy', 'updatedBy']) {
      expect([field, String(stored[field])]).toEqual([field, author._id]);
    }
  });

  it('should accept a body without slug, tags and image', async () => {
    const { title, description, draftText } = blogBody();
    const { body } = await create({ title, description, draftText });
    expect(body.data).toMatchObject({ title, description, draftText, tags: [] });
    expect(body.data.slug).toBe(title.toLowerCase().replaceAll(' ', '-'));
    expect(body.data).not.toHaveProperty('imgUrl');
    expect(await storedBlog(fixture.db, body.data._id)).not.toHaveProperty('imgUrl');
  });

  it.each(ACCEPTED)('should accept $label as $field', async ({ field, value, ...expected }) => {
    const { status, body } = await create({ ...blogBody(), [field]: value });
    expect([status, body.message]).toEqual([200, 'blog created successfully']);
    const stored = 'stored' in expected ? expected.stored : value;
    expect(body.data[field]).toEqual(stored);
    expect((await storedBlog(fixture.db, body.data._id))[field]).toEqual(stored);
  });

  it.each(REFUSED)('should refuse $label as $field', async ({ field, value, message }) => {
    const before = await count();
    const sent = field === 'tags.0' ? { tags: [value] } : { [field]: value };
    expectFieldErrors(await create({ ...blogBody(), ...sent }), { field, message });
    expect(await count()).toBe(before);
  });

  it('should name each bad tag by its index', async () => {
    const tags = ['', 'good', '   ', 'x'.repeat(51), 5, null, ['x'], { $gt: '' }, 'a\0b'];
    const messages = {
      'tags.0': 'must be 1 to 50 characters',
      'tags.2': 'must be 1 to 50 characters',
      'tags.3': 'must be 1 to 50 characters',
      'tags.4': 'must be text',
      'tags.5': 'is missing',
      'tags.6': 'must be text',
      'tags.7': 'must be text',
      'tags.8': 'must not contain NUL characters',
    };
    expectFieldErrors(
      await create({ ...blogBody(), tags }),
      ...Object.entries(messages).map(([field, text]) => ({ field, message: `${field} ${text}` })),
    );
  });

  it.each([undefined, {}])('should name every missing field (body: %j)', async (body) => {
    expectFieldErrors(
      await fixture.author.client.post('/blog/author', body),
      { field: 'title', message: 'title is missing' },
      { field: 'description', message: 'description is missing' },
      { field: 'draftText', message: 'draftText is missing' },
    );
  });
});

describe('PUT /blog/author/id/{id}', () => {
  let id: string;
  let body: BlogBody;

  beforeEach(async () => {
    body = blogBody();
    const created = await fixture.author.client.post('/blog/author', body);
    id = created.body.data._id;
  });

  const update = (changes: unknown) => fixture.author.client.put(`/blog/author/id/${id}`, changes);
  const stored = () => storedBlog(fixture.db, id);

  it('should change every field that the body names', async () => {
    const next = blogBody();
    const answer = await update({ _id: id.toUpperCase(), ...next });
    expect(answer.body).toMatchObject({ message: 'blog updated successfully', data: next });
    expect(await stored()).toMatchObject({ ...next, slugs: [next.slug], rev: 2 });
    const { updatedAt, createdAt } = answer.body.data;
    expect(updatedAt > createdAt).toBe(true);
  });

  it.each(FIELD_NAMES)('should change only %s if the body has no other field', async (field) => {
    const next = blogBody();
    const before = await stored();
    const answer = await update({ [field]: next[field] });
    expect(answer.body.data).toMatchObject({ ...body, [field]: next[field] });
    const alsoChanged = field === 'slug' ? ['slugs'] : [];
    const touched = new Set([...withDerived([field]), ...alsoChanged, ...CHANGED_BY_EVERY_WRITE]);
    const untouched = Object.entries(before).filter(([name]) => !touched.has(name));
    const after = await stored();
    expect(after[field]).toEqual(next[field]);
    expect(Object.entries(after).filter(([name]) => !touched.has(name))).toEqual(untouched);
  });

  it.each([{}, { score: 99 }, undefined])('should change nothing (body: %j)', async (changes) => {
    const before = await stored();
    const answer = await update(changes);
    expect(answer.body).toMatchObject({ message: 'blog updated successfully', data: body });
    expect(await stored()).toEqual(before);
  });

  it.each(ACCEPTED.filter((accepted) => 'stored' in accepted))(
    'should accept $label as $field',
    async ({ field, value, stored: wanted }) => {
      const { status, body: answer } = await update({ [field]: value });
      expect([status, answer.message]).toEqual([200, 'blog updated successfully']);
      expect(answer.data).toEqual({ ...answer.data, ...body, [field]: wanted });
      expect((await stored())[field]).toEqual(wanted);
      expect(field in (await stored())).toBe(wanted !== undefined);
    },
  );

  // transition-update.spec.ts proves that no value is evaluated as an aggregation expression.
  it.each(['$$ROOT', '<script>alert(1)</script>'])(
    'should store %j as plain text',
    async (text) => {
      const changes = { title: text, description: text, tags: [text] };
      expect((await update(changes)).body.data).toEqual(expect.objectContaining(changes));
      expect(await stored()).toMatchObject(changes);
    },
  );

  it.each(FIELD_NAMES)('should refuse a bad %s, and change nothing', async (name) => {
    const before = await stored();
    const bad = REFUSED.find(({ field, value }) => field === name && value !== undefined);
    const answer = await update({ title: 'Not this either', [name]: bad?.value });
    expectFieldErrors(answer, { field: name, message: String(bad?.message) });
    expect(await stored()).toEqual(before);
  });

  it('should refuse a body that names another blog', async () => {
    const before = await stored();
    const { body: answer } = await update({ _id: unknownId(), title: 'Another title' });
    expect(answer).toEqual({
      code: '10001',
      status: 400,
      message: '_id in the body must be the id in the path',
      reason: 'id_mismatch',
    });
    expect(await stored()).toEqual(before);
  });

  it.each([5, 'short', { $gt: '' }, null])('should refuse %j as _id', async (_id) => {
    expectFieldErrors(await update({ _id, title: 'Another title' }), MALFORMED_ID);
  });

  it('should accept the slug that the blog already has', async () => {
    const { status } = await update({ slug: body.slug.toUpperCase() });
    expect(status).toBe(200);
    expect((await stored())['slugs']).toEqual([body.slug]);
  });
});

describe('PUT /blog/author, with the id in the body', () => {
  it('should edit the blog that the body names', async () => {
    const { author, editor } = fixture;
    const { _id, body } = await blogIn('draft', author, editor);
    const answer = await author.client.put('/blog/author', { _id, title: 'Another title' });
    expect(answer.body).toMatchObject({
      message: 'blog updated successfully',
      data: { ...body, _id, title: 'Another title' },
    });
    expect(answer.headers.get('etag')).toBe('"2"');
    expectFieldErrors(
      await author.client.put('/blog/author', { _id, title: ' ', tags: [''] }),
      { field: 'title', message: 'title must be 1 to 500 characters' },
      { field: 'tags.0', message: 'tags.0 must be 1 to 50 characters' },
    );
  });

  it('should refuse a body without an id, or with a malformed one', async () => {
    const put = (_id: unknown) =>
      fixture.author.client.put('/blog/author', { _id, title: 'Another title' });
    expectFieldErrors(await put(undefined), { field: '_id', message: '_id is missing' });
    for (const _id of ['short', { $gt: '' }]) expectFieldErrors(await put(_id), MALFORMED_ID);
  });
});

// slug.spec.ts proves the normal form, and the numbers and random texts at the end.
describe('the slug of a blog', () => {
  const post = (fields: object) =>
    fixture.author.client.post('/blog/author', { ...blogBody(), ...fields });
  const slugOf = async (fields: object): Promise<string> => (await post(fields)).body.data.slug;
  const fromTitle = (title: string) => slugOf({ title, slug: undefined });

  it('should be "blog" for a title without letters and digits, then numbered, then end in a random text', async () => {
    const slugs: string[] = [];
    for (const title of ['!!!', '???', '...', '🎉🎉🎉', ...Array<string>(6).fill('!!!')]) {
      slugs.push(await fromTitle(title));
    }
    const numbered = Array.from({ length: 8 }, (_, index) => `blog-${index + 2}`);
    expect(slugs.slice(0, 9)).toEqual(['blog', ...numbered]);
    expect(slugs[9]).toMatch(/^blog-[0-9a-z]{4,12}$/);
  });

  it('should differ from a slug that is only pending', async () => {
    const mark = unique('pending');
    const { _id } = await blogIn('live', fixture.author, fixture.editor);
    await fixture.author.client.put(`/blog/author/id/${_id}`, { slug: mark });
    expect(await fromTitle(mark)).toBe(`${mark}-2`);
  });

  it.each([
    ['a decomposed letter, capitals and blanks', ' Cafe\u0301 au Lait ', 'café-au-lait'],
    ['200 astral characters', '\u{20000}'.repeat(200), '\u{20000}'.repeat(200)],
    ['150 letters whose lower case has two characters', 'İ'.repeat(150), 'i'.repeat(150)],
    ['words that punctuation keeps apart', 'AND/OR 2019–2020', 'and-or-2019-2020'],
    ['an emoji with a variation selector', '🗃\ufe0f File Cabinet', 'file-cabinet'],
  ])('should be stored in its normal form: %s', async (_what, slug, stored) => {
    expect(await slugOf({ slug })).toBe(stored);
  });

  it.each(['sitemap.xml', ' Robots.TXT', '.well-known', 'feeds'])(
    'should be refused if the root of the site needs it, or get an ending: %j',
    async (slug) => {
      const name = slug.trim().toLowerCase();
      const message = `slug must not be ${name}: the site needs this address for itself`;
      const { body: created } = await post({});
      for (const answer of [
        await post({ slug }),
        await fixture.author.client.put(`/blog/author/id/${created.data._id}`, { slug }),
      ]) {
        expect(answer.body).toEqual({
          code: '10001',
          status: 422,
          message: `validation error: ${message}`,
          reason: 'slug_reserved',
          errors: [{ field: 'slug', message }],
        });
      }
      expect(await fromTitle(slug)).toMatch(`${name}-2`);
    },
  );

  it('should be refused in any spelling while a live version or a working copy has it', async () => {
    const { author, editor, other } = fixture;
    const mark = unique('taken');
    await post({ slug: `${mark}-é` });
    const { body, pending } = await blogIn('live in review', author, editor);
    const mine = (await other.client.post('/blog/author', blogBody())).body.data._id;
    for (const [slug, taken] of [
      [` ${mark.toUpperCase()} É! `, `${mark}-é`],
      [`${mark}--e\u0301`, `${mark}-é`],
      [body.slug, body.slug],
      [pending.slug, pending.slug],
    ] as const) {
      for (const answer of [
        await other.client.post('/blog/author', blogBody({ slug })),
        await other.client.put(`/blog/author/id/${mine}`, { slug }),
      ]) {
        expect(answer.body).toEqual({
          code: '10001',
          status: 400,
          message: `blog with slug: ${taken} already exists`,
          reason: 'slug_taken',
        });
      }
    }
  });
});
