import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogBody } from '../../support/factories.js';
import { replaceContent } from './stored-content.js';

describe('GET /blog/{author|editor}/diff/id/{id}', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const diff = (reader: 'author' | 'editor', id: string, query: string) =>
    fixture[reader].client.get(`/blog/${reader}/diff/id/${id}?${query}`);

  /** Submitted with revisions 2 and 5, published with 3; then withdrawn and edited. */
  async function revisedBlog(): Promise<{ _id: string; title: string }> {
    const { author, editor } = fixture;
    const draftText = '<p>It weaves flowers.</p><p>The end.</p>';
    const { imgUrl: _, ...body } = blogBody({ title: 'First', draftText });
    const { _id } = (await author.client.post('/blog/author', body)).body.data;
    const edit = (changes: object) => author.client.put(`/blog/author/id/${_id}`, changes);
    await author.client.put(`/blog/author/submit/${_id}`);
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    await edit({ draftText: '<p>It weaves patterns.</p><p>The end.</p>', title: 'Second' });
    await author.client.put(`/blog/author/submit/${_id}`);
    await author.client.put(`/blog/author/withdraw/${_id}`);
    await edit({ imgUrl: 'https://example.org/a.png', tags: ['late'], title: 'Unsubmitted' });
    return { _id, title: 'Unsubmitted' };
  }

  it.each(['author', 'editor'] as const)(
    'should compare two revisions for an %s',
    async (reader) => {
      const { _id } = await revisedBlog();
      const { data } = (await diff(reader, _id, 'from=3&to=5')).body;
      expect(data).toEqual({
        fields: [{ field: 'title', before: 'First', after: 'Second' }],
        text: [
          {
            runs: [
              { kind: 'same', text: 'It weaves' },
              { kind: 'removed', text: ' flowers' },
              { kind: 'added', text: ' patterns' },
              { kind: 'same', text: '.' },
            ],
          },
          { runs: [{ kind: 'same', text: 'The end.' }] },
        ],
      });
      const back = (await diff(reader, _id, 'from=5&to=3')).body.data;
      expect(back.fields).toEqual([{ field: 'title', before: 'Second', after: 'First' }]);
      // A publication is what was submitted.
      const same = (await diff(reader, _id, 'from=2&to=3')).body.data;
      expect(same.fields).toEqual([]);
      expect(same.text.flatMap(({ runs }: { runs: { kind: string }[] }) => runs)).toEqual([
        { kind: 'same', text: 'It weaves flowers.' },
        { kind: 'same', text: 'The end.' },
      ]);
    },
  );

  it('should compare a revision with the working copy, for the author alone', async () => {
    const { _id, title } = await revisedBlog();
    const { data } = (await diff('author', _id, 'from=5&to=working')).body;
    expect(data.fields).toEqual([
      { field: 'title', before: 'Second', after: title },
      { field: 'tags', before: expect.any(Array), after: ['late'] },
      { field: 'imgUrl', after: 'https://example.org/a.png' },
    ]);
    const { status, body, text } = await diff('editor', _id, 'from=5&to=working');
    expect([status, body.message]).toEqual([
      400,
      'to must be a revision number, from 0 to 999999999',
    ]);
    expect(text).not.toContain(title);
  });

  it('should compare texts that were stored under an older policy as they are served', async () => {
    const { _id } = await revisedBlog();
    const draftText = '<script>x()</script><p>It weaves patterns.</p><p>The end.</p>';
    await replaceContent(fixture.db, _id, 2, { ...blogBody(), draftText });
    const { data } = (await diff('author', _id, 'from=2&to=5')).body;
    const kinds = data.text.flatMap(({ runs }: { runs: { kind: string }[] }) =>
      runs.map(({ kind }) => kind),
    );
    expect(kinds).toEqual(['same', 'same']);
  });

  it('should refuse what is not there', async () => {
    const { _id } = await revisedBlog();
    for (const query of ['from=2&to=4', 'from=4&to=2', 'from=0&to=0']) {
      const { status, body } = await diff('editor', _id, query);
      expect([query, status, body.message]).toEqual([query, 404, 'revision not found']);
    }
    for (const query of ['', 'from=2', 'from=working&to=2', 'from=2&to=', 'from=-1&to=2']) {
      expect([query, (await diff('author', _id, query)).status]).toEqual([query, 400]);
    }
  });
});
