import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hashPreviewToken } from '../../../src/blog/previews/preview-token.js';
import { PreviewStore } from '../../../src/blog/previews/preview-store.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogIn } from '../../support/factories.js';
import { askForPreview, newPreview } from '../../support/previews.js';
import { DAY, holdClock, HOUR, type HeldClock } from '../../support/time/clock.js';

const MAX_OPEN = 100;

describe('POST /blog/{author|editor}/preview/id/{id}', () => {
  let fixture: BlogFixture;
  let clock: HeldClock;
  let blog: string;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    blog = await newBlog();
  });

  beforeEach(() => {
    clock = holdClock(fixture.app);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const newBlog = async (): Promise<string> =>
    (await blogIn('in review', fixture.author, fixture.editor))._id;
  const statusOf = async (token: string): Promise<number> =>
    (await fixture.client.get(`/blog/preview/${token}`)).status;
  const endAll = (id: string) => fixture.author.client.delete(`/blog/author/preview/id/${id}`);
  const previews = () => fixture.db.collection<{ _id: string }>('blog_previews');

  it.each([
    [undefined, 7 * DAY],
    [{ expiresIn: '1h' }, HOUR],
    [{ expiresIn: '3600001ms' }, HOUR + 1],
    [{ expiresIn: '30d' }, 30 * DAY],
  ])('should make one with %j that can be read until it expires', async (body, lifetime) => {
    const answer = await askForPreview(fixture.author, 'author', await newBlog(), body);
    const { token, expiresAt } = answer.body.data;
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Date(expiresAt).getTime()).toBe(clock.now() + lifetime);
    clock.advance(lifetime - 1);
    expect(await statusOf(token)).toBe(200);
    clock.advance(1);
    expect(await statusOf(token)).toBe(404);
  });

  it.each(['', '59m', '3599999ms', '31d', '1.5h', '7D', '-1h', '1h ', null, 3_600_000, ['1h']])(
    'should refuse expiresIn %j and store nothing',
    async (expiresIn) => {
      const before = await previews().countDocuments();
      const { status, body } = await askForPreview(fixture.author, 'author', blog, { expiresIn });
      const message = 'expiresIn must be a duration from 1h to 30d, such as 12h or 14d';
      expect([status, body.errors]).toEqual([422, [{ field: 'expiresIn', message }]]);
      expect(await previews().countDocuments()).toBe(before);
    },
  );

  it('should store the hash of the token, and no transition of the blog', async () => {
    const id = await newBlog();
    const before = await storedBlog(fixture.db, id);
    const token = await newPreview(fixture.author, 'author', id);
    expect(await storedBlog(fixture.db, id)).toEqual(before);
    expect(await previews().findOne({ _id: hashPreviewToken(token) })).toEqual({
      _id: hashPreviewToken(token),
      kind: 'author',
      blog: before._id,
      issuer: before['author'],
      generation: 0,
      createdAt: new Date(clock.now()),
      expiresAt: new Date(clock.now() + 7 * DAY),
    });
  });

  it(`should refuse more than ${MAX_OPEN} open ones of a blog`, async () => {
    const id = await newBlog();
    const first = await newPreview(fixture.author, 'author', id);
    for (let count = 1; count < MAX_OPEN; count++) await newPreview(fixture.editor, 'editor', id);
    for (const [person, kind] of [
      [fixture.author, 'author'],
      [fixture.editor, 'editor'],
    ] as const) {
      const { status, body } = await askForPreview(person, kind, id);
      expect([status, body.message]).toEqual([
        400,
        'blog has 100 open previews: end them, or wait until one expires',
      ]);
    }
    expect(await newPreview(fixture.author, 'author', await newBlog())).not.toBe('');
    await previews().updateOne(
      { _id: hashPreviewToken(first) },
      { $set: { expiresAt: new Date(clock.now()) } },
    );
    expect(await statusOf(first)).toBe(404);
    const last = await newPreview(fixture.author, 'author', id);
    expect((await askForPreview(fixture.author, 'author', id)).status).toBe(400);
    await endAll(id);
    expect(await statusOf(last)).toBe(404);
    expect(await statusOf(await newPreview(fixture.author, 'author', id))).toBe(200);
  });

  it('should make none that outlives an end between its two steps', async () => {
    const id = await newBlog();
    const store = fixture.app.get(PreviewStore);
    const insert = store.insert.bind(store);
    jest.spyOn(store, 'insert').mockImplementationOnce(async (preview) => {
      expect((await endAll(id)).status).toBe(200);
      await insert(preview);
    });
    const token = await newPreview(fixture.author, 'author', id);
    expect(await statusOf(token)).toBe(404);
  });
});
