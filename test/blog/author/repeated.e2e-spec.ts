import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogBody, unique } from '../../support/factories.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

describe('an edit that repeats what an earlier version has stored', () => {
  const OLD = {
    title: 'Bell\u0007 \u202eend',
    description: '\u3164\0',
    slug: 'i\u0307-\ufe0f',
    tags: ['.', 'web  dev'],
    imgUrl: 'https://example.org/\u202egnp.exe',
    draftText: '<p>a\u202eb</p>',
  };

  /** A blog with the fields of OLD; they are edited in the database, as an earlier version stored them. */
  const stored = async () => {
    const created = await fixture.author.client.post('/blog/author', blogBody());
    const id: string = created.body.data._id;
    const slug = `${OLD.slug}${unique('old')}`;
    await fixture.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(id) }, { $set: { ...OLD, slug, slugs: [slug] } });
    return { id, old: { ...OLD, slug } };
  };
  const update = (id: string, body: object) =>
    fixture.author.client.put(`/blog/author/id/${id}`, body);

  it('should be accepted, and keep it', async () => {
    const { id, old } = await stored();
    const draftText = '<p>a\u202eb, and more</p>';
    const answer = await update(id, { ...old, draftText });
    expect(answer.body).toMatchObject({ status: 200, data: { ...old, draftText } });
    const imgUrl = 'https://example.org/a.png';
    expect((await update(id, { imgUrl })).body.data).toMatchObject({ ...old, draftText, imgUrl });
    expect((await update(id, { tags: ['new', '.'] })).body.data.tags).toEqual(['new', '.']);
  });

  it.each([
    ['title', 'Bell\u0007'],
    ['description', '\u3164'],
    ['slug', '\ufe0f'],
    ['imgUrl', 'https://example.org/\u202e'],
  ])('should refuse another bad %s', async (field, value) => {
    const { id } = await stored();
    expect(await update(id, { [field]: value })).toMatchObject({ status: 422 });
  });

  it('should not tell what the blog of another author stores', async () => {
    const { id, old } = await stored();
    const answer = await fixture.other.client.put(`/blog/author/id/${id}`, { title: old.title });
    expect(answer.status).toBe(422);
  });

  it('should keep a slug that the root of the site needs', async () => {
    const id: string = (await fixture.author.client.post('/blog/author', blogBody())).body.data._id;
    const $set = { slug: 'favicon.ico', slugs: ['favicon.ico'] };
    await fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, { $set });
    const body = { slug: 'Favicon.ico', title: 'An icon' };
    const answer = await fixture.author.client.put(`/blog/author/id/${id}`, body);
    expect(answer.body).toMatchObject({ status: 200, data: { slug: 'favicon.ico' } });
  });
});
