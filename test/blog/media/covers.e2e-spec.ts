import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogBody, blogIn, person, type Person } from '../../support/factories.js';
import { fetchPicture, uploaded, type MediaAnswer } from '../../support/media/pictures.js';
import { newPreview } from '../../support/previews.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

interface Covered {
  readonly _id: string;
  readonly imgUrl?: string;
  readonly cover?: Pick<MediaAnswer, 'alt' | 'focus' | 'url' | 'sources' | 'width' | 'height'> & {
    readonly media: string;
    readonly thumbhash: string;
  };
}

const ELSEWHERE = 'https://example.org/a.png';

describe('the cover of an article', () => {
  let fixture: BlogFixture;
  let author: Person;
  let editor: Person;
  let picture: MediaAnswer;

  beforeAll(async () => {
    fixture = await openBlogFixture({ env: { PUBLIC_URL: 'https://press.example' } });
    ({ author, editor } = fixture);
    picture = await uploaded(author.client, { width: 2_000, height: 1_000 });
    await author.client.put(`/media/id/${picture._id}`, {
      alt: 'An engine',
      focus: { x: 0.5, y: 0.25 },
    });
  });

  const draft = async (body: object = {}): Promise<Covered> =>
    (await author.client.post<Covered>('/blog/author', { ...blogBody(), ...body })).body.data;
  const edit = (id: string, body: object) =>
    author.client.put<Covered>(`/blog/author/id/${id}`, body);
  const edited = async (id: string, body: object): Promise<Covered> =>
    (await edit(id, body)).body.data;

  it('should start from the library, and have all that a site needs', async () => {
    const { cover, imgUrl } = await draft({ cover: { media: picture._id } });
    expect(cover).toEqual({
      media: picture._id,
      alt: 'An engine',
      focus: { x: 0.5, y: 0.25 },
      url: expect.stringMatching(
        /^https:\/\/press\.example\/media\/\w{24}\/1280\.jpg\?.*signature=/,
      ),
      width: 2_000,
      height: 1_000,
      thumbhash: picture.thumbhash,
      sources: [
        {
          type: 'image/webp',
          srcset: expect.stringMatching(/320\.webp\S+ 320w.*1920\.webp\S+ 1920w/),
        },
        { type: 'image/jpeg', srcset: expect.stringContaining('320.jpg') },
      ],
    });
    expect(imgUrl).toBe(cover?.url);
    expect((await fetchPicture(fixture, imgUrl ?? '')).status).toBe(200);
  });

  it('should keep what an edit leaves out, until it shows another picture', async () => {
    const media = picture._id;
    const { _id } = await draft({ cover: { media, alt: 'Ours', focus: { x: 1, y: 0 } } });
    const texts = async (cover: object) => {
      const { alt, focus } = (await edited(_id, { cover })).cover ?? {};
      return { alt, focus };
    };
    expect(await texts({ media, alt: 'New' })).toEqual({ alt: 'New', focus: { x: 1, y: 0 } });
    expect(await texts({ media, focus: null })).toEqual({ alt: 'New' });
    const other = await uploaded(author.client);
    expect(await texts({ media: other._id })).toEqual({ alt: 'A picture of noise' });
  });

  it('should take the place of imgUrl, and imgUrl that of the cover', async () => {
    const { _id, imgUrl } = await draft({ imgUrl: ELSEWHERE });
    expect(imgUrl).toBe(ELSEWHERE);
    const covered = await edited(_id, { cover: { media: picture._id } });
    expect(covered.imgUrl).toBe(covered.cover?.url);
    expect(await storedBlog(fixture.db, _id)).not.toHaveProperty('imgUrl');
    const elsewhere = await edited(_id, { imgUrl: ELSEWHERE });
    expect([elsewhere.imgUrl, elsewhere.cover]).toEqual([ELSEWHERE, undefined]);
    const chosen = await edited(_id, { imgUrl: picture.url });
    expect(chosen.cover).toMatchObject({ media: picture._id, alt: 'An engine' });
    expect((await edited(_id, { title: 'Another title' })).cover).toBeDefined();
    for (const body of [{ imgUrl: null }, { cover: null, imgUrl: chosen.imgUrl }]) {
      await edited(_id, { cover: { media: picture._id } });
      const { imgUrl: none, cover } = await edited(_id, body);
      expect([none, cover]).toEqual([undefined, undefined]);
    }
  });

  it.each([
    ['a text', 'x', 'cover', 'must be an object'],
    ['a list', [], 'cover', 'must be an object'],
    ['no id', {}, 'cover.media', 'must be 24'],
    ['another id', { media: { $gt: '' } }, 'cover.media', 'must be 24'],
    ['an unknown picture', { media: 'a'.repeat(24) }, 'cover.media', 'must be a picture of your'],
    ['a number as alt', { media: 'ID', alt: 1 }, 'cover.alt', 'must be text'],
    ['a long alt', { media: 'ID', alt: 'x'.repeat(1_001) }, 'cover.alt', 'must be 0 to 1000'],
    ['an override in alt', { media: 'ID', alt: 'a\u202eb' }, 'cover.alt', 'must not'],
    ['a focus outside', { media: 'ID', focus: { x: 2, y: 0 } }, 'cover.focus', 'must be an object'],
  ])('should refuse %s', async (_, given, field, message) => {
    const cover = JSON.parse(JSON.stringify(given).replace('ID', picture._id)) as unknown;
    const { status, body } = await author.client.post('/blog/author', { ...blogBody(), cover });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      errors: [{ field, message: expect.stringContaining(`${field} ${message}`) }],
    });
  });

  it('should be a picture of the author, of the article, or one that readers see', async () => {
    const other = await person(fixture, 'AUTHOR');
    const foreign = await uploaded(other.client);
    const { _id } = await draft();
    expect((await edit(_id, { cover: { media: foreign._id } })).status).toBe(422);
    await blogIn('live', other, editor, { cover: { media: foreign._id } });
    expect((await edit(_id, { cover: { media: foreign._id } })).status).toBe(200);
  });

  it('should change nothing if a client sends back what it has read', async () => {
    const { _id } = await blogIn('live', author, editor, { cover: { media: picture._id } });
    const { body } = await author.client.get<Covered>(`/blog/author/id/${_id}`);
    const { cover, imgUrl } = body.data;
    const before = await storedBlog(fixture.db, _id);
    for (const again of [{ cover, imgUrl }, { cover }, { imgUrl }]) await edited(_id, again);
    const after = await storedBlog(fixture.db, _id);
    expect([after['rev'], after['cover']]).toEqual([before['rev'], before['cover']]);
  });

  it('should be published with the article, and shown by every view of it', async () => {
    const { _id } = await blogIn('live', author, editor, { cover: { media: picture._id } });
    const url = `https://press.example/media/${picture._id}/1280.jpg`;
    const shown = { cover: { alt: 'An engine', url }, imgUrl: url };
    const { data } = (await fixture.client.get<Covered>(`/blog/id/${_id}`)).body;
    expect(data).toMatchObject(shown);
    const latest = (await fixture.client.get<Covered[]>('/blogs/latest?pageNumber=1')).body.data;
    expect(latest.find((item) => item._id === _id)).toMatchObject(shown);
    await edited(_id, { cover: { media: picture._id, alt: 'Pending' } });
    expect((await fixture.client.get<Covered>(`/blog/id/${_id}`)).body.data).toMatchObject(shown);
    const preview = await newPreview(author, 'author', _id);
    const previewed = (await fixture.client.get<Covered>(`/blog/preview/${preview}`)).body.data;
    expect(previewed.cover?.alt).toBe('Pending');
    expect((await fetchPicture(fixture, previewed.imgUrl ?? '')).status).toBe(200);
    const diff = await author.client.get(`/blog/author/diff/id/${_id}?from=2&to=working`);
    expect(diff.body.data).toMatchObject({
      fields: [
        { field: 'cover', before: { alt: 'An engine' }, after: { alt: 'Pending', width: 2_000 } },
      ],
    });
    await author.client.put(`/blog/author/discard/${_id}`);
    expect((await author.client.get<Covered>(`/blog/author/id/${_id}`)).body.data).toMatchObject({
      cover: { alt: 'An engine' },
    });
  });

  it('should come back with a revision, unless its picture is gone', async () => {
    const lost = await uploaded(author.client);
    const { _id } = await draft({ cover: { media: lost._id } });
    await author.client.put(`/blog/author/submit/${_id}`);
    await author.client.put(`/blog/author/withdraw/${_id}`);
    await edited(_id, { cover: null });
    const restore = () => author.client.put<Covered>(`/blog/author/restore/id/${_id}/2`);
    const revision = await author.client.get<Covered>(`/blog/author/revisions/id/${_id}/2`);
    expect(revision.body.data.cover).toMatchObject({ media: lost._id });
    expect((await restore()).body.data.cover).toMatchObject({ media: lost._id });
    await edited(_id, { cover: null });
    expect((await author.client.delete(`/media/id/${lost._id}`)).status).toBe(200);
    const { body } = await restore();
    expect([body.data.cover, body.warnings]).toEqual([
      undefined,
      [
        {
          field: 'cover',
          message: `the picture ${lost._id} was left out: it is not in your library`,
        },
      ],
    ]);
  });

  it('should count as use of its picture, and be warned of without alt', async () => {
    const used = await uploaded(author.client);
    const { _id } = await draft({ cover: { media: used._id, alt: '' } });
    const { body } = await author.client.put(`/blog/author/submit/${_id}`);
    expect(body.warnings).toEqual([
      { field: 'cover', message: expect.stringContaining('the cover has no alt') },
    ]);
    expect((await editor.client.get(`/media/id/${used._id}`)).status).toBe(200);
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    const removal = await author.client.delete(`/media/id/${used._id}`);
    expect([removal.status, removal.text]).toEqual([400, expect.stringContaining(_id)]);
  });
});
