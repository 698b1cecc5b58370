import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { FIELD_NAMES, withDerived, type BlogBody } from '../../support/blog-fields.js';
import { blogBody, blogIn, unknownId } from '../../support/factories.js';
import { ACCEPTED, REFUSED, refusal } from './field-cases.js';

/** What every write changes. */
const BY_ANY_WRITE = ['events', 'rev', 'updatedAt', 'updatedBy'];

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
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

  it.each(FIELD_NAMES)('should keep all but %s when the body names it', async (field) => {
    const next = blogBody();
    const before = await stored();
    const answer = await update({ [field]: next[field] });
    expect(answer.body.data).toMatchObject({ ...body, [field]: next[field] });
    const besides = field === 'slug' ? ['slugs'] : [];
    const touched = new Set([...withDerived([field]), ...besides, ...BY_ANY_WRITE]);
    const untouched = Object.entries(before).filter(([name]) => !touched.has(name));
    const after = await stored();
    expect(after[field]).toEqual(next[field]);
    expect(Object.entries(after).filter(([name]) => !touched.has(name))).toEqual(untouched);
  });

  it.each([{}, { unheardOf: 1 }, { score: 99 }, undefined])(
    'should change nothing for the body %j',
    async (changes) => {
      const before = await stored();
      const answer = await update(changes);
      expect(answer.body).toMatchObject({ message: 'blog updated successfully', data: body });
      expect(await stored()).toEqual(before);
    },
  );

  it('should ignore every field that is not a client’s to set', async () => {
    const before = await stored();
    await update({
      title: 'Another title',
      score: 99,
      submitted: true,
      drafted: false,
      published: true,
      status: false,
      author: fixture.other._id,
      publishedAt: '2001-01-01T00:00:00Z',
      createdAt: '2001-01-01T00:00:00Z',
      text: '<p>smuggled</p>',
      live: { title: 'smuggled' },
      slugs: ['smuggled'],
      tagKeys: ['smuggled'],
      rev: 7,
      $set: { score: 99 },
      'live.title': 'smuggled',
      unheardOf: 'smuggled',
    });
    const after = await stored();
    const changed = ['title', 'titleWords', ...BY_ANY_WRITE];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (!changed.includes(name)) expect([name, after[name]]).toEqual([name, before[name]]);
    }
    expect(after).toMatchObject({ title: 'Another title', rev: 2 });
  });

  it.each(ACCEPTED)('should take $label as $field', async ({ field, value, ...expected }) => {
    const { status, body: answer } = await update({ [field]: value });
    expect([status, answer.message]).toEqual([200, 'blog updated successfully']);
    const wanted = 'stored' in expected ? expected.stored : value;
    expect(answer.data).toEqual({ ...answer.data, ...body, [field]: wanted });
    expect((await stored())[field]).toEqual(wanted);
    expect(field in (await stored())).toBe(wanted !== undefined);
  });

  it.each(REFUSED)('should refuse $label as $field', async ({ field, value, errors }) => {
    const before = await stored();
    const { body: answer } = await update({ title: 'Not this either', [field]: value });
    expect(answer).toEqual(refusal(errors));
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
    const answer = await update({ _id, title: 'Another title' });
    expect(answer.body).toEqual(refusal(['_id: must be 24 hexadecimal characters']));
  });

  it('should keep the slug for its own blog', async () => {
    const { status } = await update({ slug: body.slug.toUpperCase() });
    expect(status).toBe(200);
    expect((await stored())['slugs']).toEqual([body.slug]);
  });

  it('should refuse a taken slug and change nothing', async () => {
    const taken = await fixture.other.client.post('/blog/author', blogBody());
    const { slug } = taken.body.data;
    const before = await stored();
    const { body: answer } = await update({ slug: ` ${slug.toUpperCase()} `, title: 'Nor this' });
    expect(answer).toEqual({
      code: '10001',
      status: 400,
      message: `blog with slug: ${slug} already exists`,
      reason: 'slug_taken',
    });
    expect(await stored()).toEqual(before);
  });
});

describe('the paths of the older server', () => {
  it('should edit by PUT /blog/author the blog that the body names', async () => {
    const { author, editor } = fixture;
    const { _id, body } = await blogIn('draft', author, editor);
    const answer = await author.client.put('/blog/author', { _id, title: 'Another title' });
    expect(answer.body).toMatchObject({
      message: 'blog updated successfully',
      data: { ...body, _id, title: 'Another title' },
    });
    expect(answer.headers.get('etag')).toBe('"2"');
  });

  it.each([
    [{ title: 'Another title' }, '_id: is missing'],
    [{ _id: 'short', title: 'Another title' }, '_id: must be 24 hexadecimal characters'],
    [{ _id: { $gt: '' }, title: 'Another title' }, '_id: must be 24 hexadecimal characters'],
  ])('should refuse PUT /blog/author with the body %j', async (body, error) => {
    const answer = await fixture.author.client.put('/blog/author', body);
    expect(answer.body).toEqual(refusal([error]));
  });

  it('should hold PUT /blog/author to the bounds of the fields', async () => {
    const { author, editor } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    const answer = await author.client.put('/blog/author', { _id, title: 'no', tags: [''] });
    expect(answer.body).toEqual(
      refusal(['title: must be 3 to 500 characters', 'tags.0: must be 1 to 50 characters']),
    );
  });

  it('should let nobody else edit by PUT /blog/author', async () => {
    const { author, other, editor, db } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    const before = await storedBlog(db, _id);
    const answer = await other.client.put('/blog/author', { _id, title: 'Another title' });
    expect(answer.body.message).toBe('blog not found');
    expect(await storedBlog(db, _id)).toEqual(before);
  });

  it('should submit and withdraw under /id/', async () => {
    const { author, editor } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    const transition = async (path: string): Promise<object> =>
      (await author.client.put(`/blog/author/${path}/id/${_id}`)).body;
    expect(await transition('submit')).toMatchObject({
      message: 'blog submitted successfully',
      data: { submitted: true, drafted: false, published: false },
    });
    expect(await transition('submit')).toMatchObject({
      status: 400,
      message: 'blog cannot be submitted: it is in review',
    });
    expect(await transition('withdraw')).toMatchObject({
      message: 'blog withdrawn successfully',
      data: { submitted: false, drafted: true, published: false },
    });
    expect(await transition('withdraw')).toMatchObject({
      status: 400,
      message: 'blog cannot be withdrawn: it is draft',
    });
  });
});
