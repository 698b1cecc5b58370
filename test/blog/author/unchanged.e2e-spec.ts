import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Answer } from '../../support/client.js';
import { blogIn, type BlogInState, type State } from '../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

let fixture: BlogFixture;
let blog: BlogInState;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

const open = async (state: State): Promise<void> => {
  const { author, editor } = fixture;
  blog = await blogIn(state, author, editor, { tags: ['Engines', 'History'], draftText: TEXT });
};
const stored = () => storedBlog(fixture.db, blog._id);
const edit = (body: object, headers = {}) =>
  fixture.author.client.request<Fields>('PUT', `/blog/author/id/${blog._id}`, { body, headers });
const put = (path: string) => fixture.author.client.put<Fields>(`/blog/author/${path}`);
const move = (name: string) => put(`${name}/${blog._id}`);
const correct = async (body: object) =>
  fixture.editor.client.request<Fields>('PUT', `/blog/editor/id/${blog._id}`, {
    body,
    headers: { 'if-match': `"${(await stored())['rev']}"` },
  });

type Fields = Readonly<Record<string, unknown>>;

const TEXT = '<p>It weaves <b>patterns</b>.</p>';
const NOTHING_TO_SUBMIT = {
  code: '10001',
  status: 400,
  message: 'blog cannot be submitted: it is live without edits, so there is nothing to submit',
  reason: 'no_edits',
};

async function expectUnchanged(attempt: () => Promise<Answer<Fields>>): Promise<void> {
  const before = await stored();
  const answer = await attempt();
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${before['rev']}"`]);
  expect(answer.body.data['updatedAt']).toBe(before['updatedAt'].toISOString());
  expect(await stored()).toEqual(before);
}

/** Bodies that are other spellings of the fields that the blog has. */
const SPELLINGS: readonly (readonly [string, (fields: BlogInState['body']) => object])[] = [
  ['every field', (fields) => fields],
  ['one field', ({ title }) => ({ title })],
  ['a title between blanks', ({ title }) => ({ title: `  ${title}\n` })],
  ['the slug in capitals', ({ slug }) => ({ slug: ` ${slug.toUpperCase()} ` })],
  ['tags between blanks, one twice', () => ({ tags: [' Engines', 'History ', 'ENGINES'] })],
  ['a text that cleaning makes the same', () => ({ draftText: `${TEXT}<script>1</script>` })],
  ['another spelling of the HTML', () => ({ draftText: '<P class=x>It weaves <b >patterns</b>.' })],
  ['unknown fields', ({ title }) => ({ title, score: 9, published: false })],
];

describe.each(['live', 'live with draft'] as const)('an edit of a blog that is %s', (state) => {
  beforeAll(() => open(state));

  it.each(SPELLINGS)('should change nothing if the body has %s', async (_label, spell) => {
    // The other state has the same text and tags as its working copy.
    if (state === 'live with draft') {
      await edit({ draftText: TEXT, tags: ['Engines', 'History'] });
    }
    const fields = state === 'live' ? blog.body : blog.pending;
    const body = spell({ ...fields, draftText: TEXT, tags: ['Engines', 'History'] });
    await expectUnchanged(() => edit(body));
    await expectUnchanged(() => edit(body, { 'if-match': '*' }));
    await expectUnchanged(() =>
      fixture.author.client.put<Fields>('/blog/author', { _id: blog._id, ...body }),
    );
  });

  it('should be refused if If-Match is stale, even if it would change nothing', async () => {
    const before = await stored();
    expect((await edit({ title: before['title'] }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await edit({}, { 'if-match': '"1"' })).status).toBe(412);
    expect(await stored()).toEqual(before);
  });

  it('should still warn of what cleaning has removed', async () => {
    const draftText = `${String((await stored())['draftText'])}<iframe src="https://x.example"></iframe>`;
    const { body } = await edit({ draftText });
    expect(body.warnings).toEqual([{ field: 'draftText', message: '1 iframe removed' }]);
  });
});

describe('an edit that is set back', () => {
  beforeEach(() => open('live'));

  const CHANGES: readonly (readonly [string, object])[] = [
    ['the title', { title: 'Another title' }],
    ['the text', { draftText: '<p>Another text</p>' }],
    ['the slug', { slug: 'another-slug' }],
    ['the order of the tags', { tags: ['History', 'Engines'] }],
    ['the case of a tag', { tags: ['engines', 'History'] }],
    ['the image', { imgUrl: null }],
  ];

  it.each(CHANGES)('should leave a live blog without draft (%s)', async (_label, changes) => {
    const { author, editor } = fixture;
    const before = await stored();
    const readers = await author.client.get(`/blog/id/${blog._id}`);
    expect((await edit(changes)).body.data).toMatchObject({ drafted: true, published: true });
    const answer = await edit(blog.body);
    expect(answer.body.data).toMatchObject({ ...blog.body, drafted: false, published: true });
    const after = await stored();
    expect(after).toMatchObject({
      rev: before['rev'] + 2,
      slugs: before['slugs'],
      live: before['live'],
      revisions: before['revisions'],
    });
    const lines = after['events'].slice(before['events'].length);
    expect(lines).toMatchObject([
      { move: 'edit', from: 'live', to: 'live with draft' },
      { move: 'edit', from: 'live with draft', to: 'live' },
    ]);
    const readAgain = await author.client.get(`/blog/id/${blog._id}`);
    expect(readAgain.headers.get('etag')).toBe(readers.headers.get('etag'));
    expect((await move('submit')).body).toEqual(NOTHING_TO_SUBMIT);
    expect((await move('discard')).body.reason).toBe('no_edits');
    const lists = await author.client.get<Fields[]>('/blog/author/drafts?limit=100');
    expect(lists.body.data.map(({ _id }) => _id)).not.toContain(blog._id);
    expect((await editor.client.get(`/blog/editor/id/${blog._id}`)).body.data).toEqual(
      answer.body.data,
    );
  });

  it('should leave a live blog without draft when the live revision is restored', async () => {
    const { rev } = await stored();
    await edit({ title: 'Another title', imgUrl: null, slug: 'restored-slug' });
    const restore = () => put(`restore/id/${blog._id}/${rev}`);
    const answer = await restore();
    expect(answer.body.data).toMatchObject({ ...blog.body, drafted: false, published: true });
    await expectUnchanged(restore);
  });

  it('should stay a draft before it is live', async () => {
    await open('draft');
    const { rev } = await stored();
    expect((await edit(blog.body)).headers.get('etag')).toBe(`"${rev + 1}"`);
    expect(await stored()).toMatchObject({ drafted: true, rev: rev + 1 });
  });

  it('should count concurrent edits, each of which may set back another', async () => {
    const bodies = Array.from({ length: 12 }, (_, index) =>
      index % 2 ? { title: `Title number ${index}` } : { title: blog.body.title },
    );
    const answers = await Promise.all(bodies.map((body) => edit(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { title, drafted, rev, events } = await stored();
    expect(drafted).toBe(title !== blog.body.title);
    expect(events).toHaveLength(rev);
    for (const [index, event] of events.entries()) {
      if (index > 0) expect(event.from).toBe(events[index - 1].to);
    }
  });
});

describe('a correction', () => {
  it.each(['in review', 'live in review'] as const)(
    'should change nothing if it has the fields of a blog that is %s',
    async (state) => {
      await open(state);
      const { title, draftText } = await stored();
      await expectUnchanged(() => correct({ title: ` ${title} `, draftText }));
      await expectUnchanged(() => correct({}));
    },
  );

  it('should leave nothing in review if it sets the fields back to those of the live version', async () => {
    await open('live in review');
    const before = await stored();
    const answer = await correct({ ...blog.body, title: 'Another title' });
    expect(answer.body.data).toMatchObject({ submitted: true, published: true });
    expect((await correct(blog.body)).body.data).toMatchObject({
      ...blog.body,
      submitted: false,
      drafted: false,
      published: true,
    });
    const after = await stored();
    expect(after).toMatchObject({ live: before['live'], rev: before['rev'] + 2 });
    expect(after['events'].at(-1)).toMatchObject({
      move: 'correct',
      from: 'live in review',
      to: 'live',
    });
    const published = await fixture.editor.client.put(`/blog/editor/publish/id/${blog._id}`);
    expect(published.body).toMatchObject({ reason: 'not_submitted' });
    expect(await stored()).toEqual(after);
  });
});

describe('a blog that an older version made live with draft without an edit', () => {
  beforeEach(async () => {
    await open('live');
    const _id = new Types.ObjectId(blog._id);
    await fixture.db.collection('blogs').updateOne({ _id }, { $set: { drafted: true } });
  });

  it('should not be submitted', async () => {
    const before = await stored();
    expect((await move('submit')).body).toEqual(NOTHING_TO_SUBMIT);
    expect(await stored()).toEqual(before);
  });

  it('should become live by an edit that changes nothing, or by a discard', async () => {
    expect((await edit(blog.body)).body.data).toMatchObject({ drafted: false, published: true });
    await expectUnchanged(() => edit(blog.body));
  });
});

describe('a blog whose text was stored under another HTML policy', () => {
  const OLD = '<P class=x>It weaves <b >patterns</b>.<script>1</script>';

  it.each(['live', 'in review'] as const)(
    'should not change by a save of it (%s)',
    async (state) => {
      await open(state);
      const texts = { draftText: OLD, ...(state === 'live' ? { text: OLD } : {}) };
      const _id = new Types.ObjectId(blog._id);
      await fixture.db
        .collection('blogs')
        .updateOne({ _id }, { $set: { ...texts, htmlVersion: 1 } });
      const save = state === 'live' ? edit : correct;
      await expectUnchanged(() => save({ draftText: TEXT }));
      await expectUnchanged(() => save({ ...blog.body, draftText: TEXT }));
      const { rev } = await stored();
      const other = await save({ draftText: '<p>Another text</p>' });
      expect(other.headers.get('etag')).toBe(`"${rev + 1}"`);
      expect(other.body.data['draftText']).toBe('<p>Another text</p>');
    },
  );
});
