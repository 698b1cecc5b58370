import { beforeAll, describe, expect, it } from '@jest/globals';
import { HTML_VERSION } from '../../../src/blog/core/html/clean-html.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogBody, unknownId } from '../../support/factories.js';
import { ACCEPTED, REFUSED, refusal } from './field-cases.js';

describe('POST /blog/author', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const create = (body: object) => fixture.author.client.post('/blog/author', body);
  const count = () => fixture.db.collection('blogs').countDocuments();

  it('should answer the author view of a draft', async () => {
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

  it('should do without slug, tags and image', async () => {
    const { title, description, draftText } = blogBody();
    const { body } = await create({ title, description, draftText });
    expect(body.data).toMatchObject({ title, description, draftText, tags: [] });
    expect(body.data.slug).toBe(title.toLowerCase().replaceAll(' ', '-'));
    expect(body.data).not.toHaveProperty('imgUrl');
    expect(await storedBlog(fixture.db, body.data._id)).not.toHaveProperty('imgUrl');
  });

  it('should ignore every field that is not a client’s to set', async () => {
    const live = { at: new Date(), title: 'Smuggled', slug: 'smuggled', tags: ['smuggled'] };
    const { body } = await create({
      ...blogBody(),
      _id: unknownId(),
      score: 99,
      submitted: true,
      drafted: false,
      published: true,
      status: false,
      deletedAt: new Date(),
      author: fixture.other._id,
      createdBy: fixture.other._id,
      updatedBy: fixture.other._id,
      createdAt: '2001-01-01T00:00:00Z',
      updatedAt: '2001-01-01T00:00:00Z',
      publishedAt: '2001-01-01T00:00:00Z',
      text: '<p>smuggled</p>',
      live,
      slugs: ['smuggled'],
      tagKeys: ['smuggled'],
      titleWords: ['smuggled'],
      rev: 7,
      htmlVersion: 7,
      $set: { score: 99 },
      'live.title': 'smuggled',
      unheardOf: 'smuggled',
    });
    const stored = await storedBlog(fixture.db, body.data._id);
    expect(JSON.stringify(stored)).not.toMatch(/smuggled/i);
    expect(stored['createdAt'].getFullYear()).toBeGreaterThan(2001);
    expect(stored['updatedAt']).toEqual(stored['createdAt']);
    expect(stored).toMatchObject({ score: 0.01, rev: 1, htmlVersion: HTML_VERSION, status: true });
    expect(stored).toMatchObject({ submitted: false, drafted: true, published: false });
    expect(String(stored['author'])).toBe(fixture.author._id);
    for (const field of ['live', 'text', 'publishedAt', 'deletedAt', 'unheardOf']) {
      expect(stored).not.toHaveProperty(field);
    }
  });

  it.each(ACCEPTED)('should take $label as $field', async ({ field, value, ...expected }) => {
    const { status, body } = await create({ ...blogBody(), [field]: value });
    expect([status, body.message]).toEqual([200, 'blog created successfully']);
    const stored = 'stored' in expected ? expected.stored : value;
    expect(body.data[field]).toEqual(stored);
    expect((await storedBlog(fixture.db, body.data._id))[field]).toEqual(stored);
  });

  it.each(REFUSED)('should refuse $label as $field', async ({ field, value, errors }) => {
    const before = await count();
    const { body } = await create({ ...blogBody(), [field]: value });
    expect(body).toEqual(refusal(errors));
    expect(await count()).toBe(before);
  });

  it.each(['title', 'description', 'draftText'])(
    'should refuse a body without %s',
    async (field) => {
      const { [field]: _, ...body } = { ...blogBody() } as Record<string, unknown>;
      expect((await create(body)).body).toEqual(refusal([`${field}: is missing`]));
    },
  );

  it.each([undefined, {}])('should name every field that the body %j lacks', async (body) => {
    const answer = await fixture.author.client.post('/blog/author', body);
    expect(answer.body).toEqual(
      refusal(['title: is missing', 'description: is missing', 'draftText: is missing']),
    );
  });

  it.each([['[]'], ['"text"'], ['5'], ['null'], ['true']])(
    'should refuse the body %s, which is no object',
    async (rawBody) => {
      const { status } = await fixture.author.client.post('/blog/author', undefined, { rawBody });
      expect(status).toBe(422);
    },
  );

  it.each([
    ['cut short', '{"title": "x"'],
    ['with a __proto__ key', '{"__proto__": {"title": "x"}}'],
    ['with a constructor.prototype key', '{"constructor": {"prototype": {"title": "x"}}}'],
    ['10,000 levels deep', '['.repeat(10_000) + ']'.repeat(10_000)],
  ])('should refuse a body %s', async (_label, rawBody) => {
    const { status } = await fixture.author.client.post('/blog/author', undefined, { rawBody });
    expect(status).toBe(400);
  });
});
