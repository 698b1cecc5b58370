import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { SearchIndexer } from '../../../../src/blog/public/search/index/search-indexer.js';
import { blogIn, unique } from '../../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';

describe('The words of an article', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const wordsOf = async (id: string): Promise<unknown> => {
    const { live } = await storedBlog(fixture.db, id);
    return (live as { words?: unknown } | undefined)?.words;
  };
  const edit = (id: string, changes: object) =>
    fixture.author.client.put(`/blog/author/id/${id}`, changes);
  const submit = (id: string) => fixture.author.client.put(`/blog/author/submit/${id}`);
  const publish = (id: string) => fixture.editor.client.put(`/blog/editor/publish/id/${id}`);

  it('should be stored with their most important places, each stem once', async () => {
    const { _id } = await blogIn('live', fixture.author, fixture.editor, {
      title: 'Harbours',
      tags: ['Sea', 'Harbour'],
      description: 'A harbour by the sea',
      draftText: '<p>Boats in the <em>harbour</em>s</p>',
    });
    expect(await wordsOf(_id)).toEqual(['0harbour', '1sea', '2a', '2by', '2the', '3boat', '3in']);
  });

  it('should change with a publication, and with nothing before it', async () => {
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { title: 'Harbours' });
    const before = await wordsOf(_id);
    await edit(_id, { title: 'Mountains' });
    await submit(_id);
    expect(await wordsOf(_id)).toEqual(before);
    await publish(_id);
    expect(await wordsOf(_id)).toContain('0mountain');
    expect(await wordsOf(_id)).not.toContain('0harbour');
  });

  it.each(['live', 'live with draft', 'live in review'] as const)(
    'should go when a blog that is %s is unpublished, and when it is deleted',
    async (state) => {
      const unpublished = await blogIn(state, fixture.author, fixture.editor);
      await fixture.editor.client.put(`/blog/editor/unpublish/id/${unpublished._id}`);
      const deleted = await blogIn(state, fixture.author, fixture.editor);
      await fixture.author.client.delete(`/blog/author/id/${deleted._id}`);
      for (const { _id } of [unpublished, deleted]) expect(await wordsOf(_id)).toBeUndefined();
    },
  );

  it('should be none of a blog that was never published', async () => {
    for (const state of ['draft', 'in review'] as const) {
      const { _id, body } = await blogIn(state, fixture.author, fixture.editor, {
        title: unique('secret'),
      });
      expect(await wordsOf(_id)).toBeUndefined();
      const mark = String(body.title).split('-').at(-1);
      expect(
        await fixture.db.collection('search_spellings').countDocuments({ _id: mark as never }),
      ).toBe(0);
    }
  });

  it('should be those of what is published, if it changes while they are found', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor, {
      title: 'Harbours',
    });
    const indexer = fixture.app.get(SearchIndexer);
    const find = indexer.wordsOf.bind(indexer);
    jest.spyOn(indexer, 'wordsOf').mockImplementationOnce(async (blog) => {
      const words = await find(blog);
      await fixture.author.client.put(`/blog/author/withdraw/${_id}`);
      await edit(_id, { title: 'Mountains' });
      await submit(_id);
      return words;
    });
    expect((await publish(_id)).status).toBe(200);
    expect(await wordsOf(_id)).toContain('0mountain');
    expect(await wordsOf(_id)).not.toContain('0harbour');
  });

  it('should not be found for an editor whose copy is out of date', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor);
    const spy = jest.spyOn(fixture.app.get(SearchIndexer), 'wordsOf');
    const { status } = await fixture.editor.client.put(
      `/blog/editor/publish/id/${_id}`,
      undefined,
      {
        headers: { 'if-match': '"1"' },
      },
    );
    expect([status, spy.mock.calls.length]).toEqual([412, 0]);
    spy.mockRestore();
  });

  it('should be 2,000 at most, the first ones, of a text of any length', async () => {
    const words = Array.from({ length: 2_500 }, (_, number) => `w${number}x`);
    const { _id } = await blogIn('live', fixture.author, fixture.editor, {
      draftText: `<p>${words.join(' ')}</p>`,
    });
    const stored = (await wordsOf(_id)) as string[];
    expect(stored).toHaveLength(2_000);
    expect(stored).toContain('3w0x');
    expect(stored).not.toContain('3w2400x');
  });

  it('should have their spellings stored before them', async () => {
    const word = `harbours${unique('x').replaceAll('-', '')}`;
    await blogIn('live', fixture.author, fixture.editor, { title: `Of ${word}` });
    const spelling = await fixture.db
      .collection<{ _id: string }>('search_spellings')
      .findOne({ _id: word });
    expect(spelling).toEqual({ _id: word, stem: word });
  });

  it('should be in no answer, whoever reads', async () => {
    const { _id } = await blogIn('live with draft', fixture.author, fixture.editor, {
      title: 'Harbours',
    });
    const { author, editor } = fixture;
    const answers = await Promise.all([
      fixture.client.get(`/blog/id/${_id}`),
      fixture.client.get('/blogs/latest?include=text'),
      fixture.client.get('/blogs/search?q=harbours'),
      author.client.get(`/blog/author/id/${_id}`),
      author.client.get('/blog/author/published'),
      editor.client.get(`/blog/editor/id/${_id}`),
    ]);
    answers.push(await edit(_id, { description: 'Another one' }));
    answers.push(await submit(_id));
    answers.push(await publish(_id));
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/"words"|0harbour/);
    }
  });

  it('should not keep an article from being published whose record is of an older version', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor, {
      title: 'Harbours',
    });
    await fixture.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(_id) }, { $unset: { revisions: 1, htmlVersion: 1 } });
    expect((await publish(_id)).status).toBe(200);
    expect(await wordsOf(_id)).toContain('0harbour');
  });
});
