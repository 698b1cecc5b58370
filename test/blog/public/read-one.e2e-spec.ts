import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogIn, unique } from '../../support/factories.js';

describe('GET /blog/id/{id} and GET /blog/slug/{slug}', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const live = (overrides: object = {}) =>
    blogIn('live', fixture.author, fixture.editor, overrides);
  const read = (slug: string) => fixture.client.get(`/blog/slug/${encodeURIComponent(slug)}`);

  it('should answer the same by id, in either case, and by slug', async () => {
    const { _id, body } = await live();
    const byId = await fixture.client.get(`/blog/id/${_id}`);
    expect(byId.body.message).toBe('success');
    expect((await fixture.client.get(`/blog/id/${_id.toUpperCase()}`)).text).toBe(byId.text);
    expect((await read(body.slug)).text).toBe(byId.text);
    expect((await fixture.client.get(`/blog/slug/${body.slug}/`)).text).toBe(byId.text);
  });

  it('should leave out an image that is not set', async () => {
    const { _id } = await live({ imgUrl: undefined });
    const { body } = await fixture.client.get(`/blog/id/${_id}`);
    expect(body.data).not.toHaveProperty('imgUrl');
  });

  it('should find a slug however a client spells it', async () => {
    const { _id } = await live({ slug: 'Straße des 17. Juni é' });
    for (const slug of [
      'straße-des-17.-juni-é',
      'STRAßE-DES-17.-JUNI-É',
      'Straße des 17. Juni é',
      'straße-des-17.-juni-e\u0301',
      ' straße--des-17.-juni-é ',
    ]) {
      expect([slug, (await read(slug)).body.data?._id]).toEqual([slug, _id]);
    }
    expect((await read('strasse-des-17.-juni-é')).status).toBe(404);
  });

  it.each([
    ['Han', '漢'],
    ['Devanagari', 'क'],
    ['Cyrillic', 'ж'],
    ['Han beyond the first plane', '\u{20000}'],
  ])('should find a slug of 200 characters in %s', async (_script, letter) => {
    const slug = letter.repeat(200);
    const { _id } = await live({ slug });
    expect((await read(slug)).body.data._id).toBe(_id);
    expect((await read(letter.repeat(199))).status).toBe(404);
  });

  it.each([
    ['unknown', unique('unknown')],
    ['far too long', 'x'.repeat(300)],
    ['without a letter', '!!!'],
    ['of an operator', '{"$gt":""}'],
    ['of a path', '../../../etc'],
    ['of a NUL character', 'a\0b'],
  ])('should not find a slug that is %s', async (_what, slug) => {
    await live();
    const { status, body } = await read(slug);
    expect([status, body.message]).toEqual([404, 'blog not found']);
  });

  it.each(['/blog/slug/%', '/blog/slug/%ff', '/blogs/tag/%E0%A4%A'])(
    'should refuse %s, which is not validly encoded',
    async (path) => {
      const { status, body } = await fixture.client.get(path);
      expect([status, body.message]).toEqual([400, 'the path is not validly percent-encoded']);
    },
  );

  it('should show the author’s new name at once', async () => {
    const { author, client } = fixture;
    const { _id } = await live();
    const before = await client.get(`/blog/id/${_id}`);
    expect(before.body.data.author).toEqual({ _id: author._id, name: author.name });
    const name = unique('Renamed');
    expect((await author.client.put('/profile/mine', { name })).status).toBe(200);
    const after = await client.get(`/blog/id/${_id}`, {
      headers: { 'if-none-match': before.headers.get('etag') },
    });
    expect(after.status).toBe(200);
    expect(after.body.data.author).toEqual({ _id: author._id, name });
    const mine = await author.client.get(`/blog/author/id/${_id}`);
    expect(mine.body.data.author.name).toBe(name);
  });

  it('should never show more of the author than id and name', async () => {
    const { author, client } = fixture;
    const { _id } = await live();
    const { text } = await client.get(`/blog/id/${_id}`);
    expect(text).not.toContain(author.email);
    expect(text).not.toContain('password');
  });
});
