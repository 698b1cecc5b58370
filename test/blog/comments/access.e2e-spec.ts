import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { CommentStore } from '../../../src/blog/comments/store/comment-store.js';
import type { BlogFixture } from '../core/fixture.js';
import {
  blogIn,
  person,
  STATES,
  unique,
  type BlogInState,
  type State,
} from '../../support/factories.js';
import { openCommentFixture, CommentRoutes, type Comment } from './fixture.js';

let fixture: BlogFixture;
let author: CommentRoutes;
let editor: CommentRoutes;

beforeAll(async () => {
  ({ fixture, author, editor } = await openCommentFixture());
});

const newBlog = (state: State, fields = {}): Promise<BlogInState> =>
  blogIn(state, fixture.author, fixture.editor, fields);
const set = (blog: string, update: object) =>
  fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(blog) }, update);
/** Stores a comment without the API, which refuses comments on some of these blogs. */
async function storedComment(blog: string, by: string): Promise<string> {
  const comments = fixture.db.collection('blog_comments');
  const { insertedId } = await comments.insertOne({
    blog: new Types.ObjectId(blog),
    by: new Types.ObjectId(by),
    text: 'A comment',
    resolved: false,
    at: new Date(),
    rev: 1,
  });
  return insertedId.toHexString();
}

/** The distinct statuses that the comment routes answer with. */
async function statusesOf(routes: CommentRoutes, blog: string, by: string): Promise<number[]> {
  const comment = await storedComment(blog, by);
  const answers = [
    await routes.list(blog),
    await routes.create(blog),
    await routes.create(blog, { text: 'A reply', quote: 'a', replyTo: comment }),
    await routes.change(blog, comment, { text: 'Another' }),
    await routes.change(blog, comment, { resolved: true }),
    await routes.change(blog, comment, {}),
    await routes.remove(blog, comment),
  ];
  for (const { status, body } of answers) {
    if (status !== 200) expect([status, body.message]).toEqual([404, 'blog not found']);
  }
  return [...new Set(answers.map(({ status }) => status))];
}

const put = (path: string, body?: object) => fixture.author.client.put(path, body);
const editorPut = (path: string) => fixture.editor.client.put(`/blog/editor/${path}`);
const withdraw = (id: string) => put(`/blog/author/withdraw/${id}`);
async function withdrawAndEdit(id: string): Promise<void> {
  await withdraw(id);
  await put(`/blog/author/id/${id}`, { title: 'Another title' });
}
const unsetSubmittedAt = (id: string) => set(id, { $unset: { submittedAt: 1 } });
const setPublishedAt = (id: string) => set(id, { $set: { publishedAt: new Date(0) } });
const setAuthorLeft = (id: string) => set(id, { $set: { authorLeft: true } });

/** Changes of a blog in the state `from`, and the status that editors get afterwards. */
const CHANGES: readonly (readonly [
  label: string,
  from: State,
  forEditors: 200 | 404,
  change: (blog: string) => Promise<unknown>,
])[] = [
  ['a withdrawn blog', 'in review', 200, (id) => put(`/blog/author/withdraw/${id}`)],
  ['a withdrawn and edited blog', 'in review', 200, withdrawAndEdit],
  ['an unpublished blog', 'live', 200, (id) => editorPut(`unpublish/id/${id}`)],
  ['a blog submitted on an older server', 'in review', 200, unsetSubmittedAt],
  ['a draft once published on an older server', 'draft', 200, setPublishedAt],
  ['a live blog of a former author', 'live', 200, setAuthorLeft],
  [
    'a withdrawn draft of a former author',
    'in review',
    404,
    (id) => withdraw(id).then(() => setAuthorLeft(id)),
  ],
];

// The access matrix proves the access to comments in each state that this version stores.
describe('Comments', () => {
  it.each(CHANGES)(
    'should be open (200) or closed (404) to editors: %s, at first %s: %i',
    async (_, from, status, change) => {
      const blog = (await newBlog(from))._id;
      await change(blog);
      expect(await statusesOf(editor, blog, fixture.editor._id)).toEqual([status]);
    },
  );

  it('should be open only on the author routes for a draft of an author who is also an editor', async () => {
    const both = await person(fixture, 'AUTHOR', 'EDITOR');
    const { _id } = await blogIn('draft', both, fixture.editor);
    expect(await statusesOf(new CommentRoutes(both, 'editor'), _id, both._id)).toEqual([404]);
    expect(await statusesOf(new CommentRoutes(both, 'author'), _id, both._id)).toEqual([200]);
  });

  it('should be out of reach while the blog is hidden in the database', async () => {
    const hidden = (await newBlog('live'))._id;
    await set(hidden, { $set: { status: false } });
    expect(await statusesOf(author, hidden, fixture.author._id)).toEqual([404]);
    expect(await statusesOf(editor, hidden, fixture.editor._id)).toEqual([404]);
  });

  it('should all be removed with their blog, including those being created', async () => {
    const store = fixture.app.get(CommentStore, { strict: false });
    for (let round = 0; round < 3; round += 1) {
      const blog = (await newBlog('in review'))._id;
      const other = (await newBlog('in review'))._id;
      const kept: Comment = await editor.created(other);
      const trashAndRemoveComments = async (): Promise<void> => {
        await fixture.author.client.delete(`/blog/author/id/${blog}`);
        await store.removeAllOf([new Types.ObjectId(blog)]);
      };
      const creations = Array.from({ length: 20 }, () => editor.create(blog));
      const [, ...answers] = await Promise.all([trashAndRemoveComments(), ...creations]);
      expect(answers.every(({ status }) => [200, 404].includes(status))).toBe(true);
      const stored = fixture.db.collection('blog_comments');
      expect(await stored.countDocuments({ blog: new Types.ObjectId(blog) })).toBe(0);
      expect((await author.list(other)).body.data).toEqual([kept]);
    }
  });
});

/** Expected `quoteFound` of words of `body` and of `pending` (see `blogIn`); null: the field is absent. */
type Found = readonly [ofBody: boolean | null, ofPending: boolean | null];

/** The author reads the working copy; an editor reads the submitted revision, or else the live version. */
const BY_STATE: Readonly<Record<State, { readonly author: Found; readonly editor: Found }>> = {
  draft: { author: [true, false], editor: [null, null] },
  'in review': { author: [true, false], editor: [true, false] },
  live: { author: [true, false], editor: [true, false] },
  'live with draft': { author: [false, true], editor: [true, false] },
  'live in review': { author: [false, true], editor: [false, true] },
};

async function expectQuoteFound(
  routes: CommentRoutes,
  blog: string,
  quote: string,
  found: boolean | null,
): Promise<void> {
  const expected = found === null ? {} : { quoteFound: found };
  const made = await routes.created(blog, { text: 'About this', quote });
  const { body: changed } = await routes.change(blog, made._id, { resolved: true });
  const { body: listed } = await routes.list(blog, '?limit=100');
  const items = listed.data.filter(({ _id }) => _id === made._id);
  expect(items).toHaveLength(1);
  for (const { quoteFound } of [made, changed.data, ...items]) {
    expect([quote, quoteFound === undefined ? {} : { quoteFound }]).toEqual([quote, expected]);
  }
}

describe('quoteFound', () => {
  it.each(STATES)('should be true exactly for words that the role may read: %s', async (state) => {
    const { _id, body, pending } = await newBlog(state);
    for (const [role, routes] of [
      ['author', author],
      ['editor', editor],
    ] as const) {
      // A draft that was never submitted is not open to editors at all.
      if (role === 'editor' && state === 'draft') continue;
      const [ofBody, ofPending] = BY_STATE[state][role];
      await expectQuoteFound(routes, _id, body.title, ofBody);
      await expectQuoteFound(routes, _id, pending.title, ofPending);
    }
  });

  const CLOSED = [
    ['withdrawn', 'in review', 'author', 'withdraw'],
    ['unpublished', 'live', 'editor', 'unpublish/id'],
  ] as const;

  it.each(CLOSED)(
    'should be absent for an editor once the blog was %s',
    async (_label, from, role, path) => {
      const { _id, body } = await newBlog(from);
      const before = await editor.created(_id, { text: 'About this', quote: body.title });
      expect(before.quoteFound).toBe(true);
      await fixture[role].client.put(`/blog/${role}/${path}/${_id}`);
      const secret = unique('secret');
      await fixture.author.client.put(`/blog/author/id/${_id}`, { draftText: `<p>${secret}</p>` });
      for (const quote of [secret, body.title, 'not there']) {
        await expectQuoteFound(editor, _id, quote, null);
      }
      const reply = await editor.created(_id, { text: secret, replyTo: before._id });
      expect(reply).not.toHaveProperty('quoteFound');
      const { body: listed } = await editor.list(_id);
      expect(listed.data.filter((comment) => 'quoteFound' in comment)).toEqual([]);
      // The author may read the draft, so the author's list has the field for each comment with a quote.
      const { body: own } = await author.list(_id);
      expect(own.data.map(({ quoteFound }) => quoteFound)).toEqual([
        true,
        true,
        true,
        false,
        undefined,
      ]);
    },
  );

  it('should be true only for words of the visible text of one field', async () => {
    const draftText =
      '<p>The engine weaves <em>algebraic</em> <b>pat</b>terns.</p>\n<p>Just as ' +
      'the <a href="/loom.html">Jac\u00adquard loom</a> &lt;weaves&gt; &amp; "flowers". Café Zoë office.</p>';
    const { _id } = await newBlog('in review', { draftText });
    for (const [quote, isFound] of [
      ['weaves algebraic patterns', true],
      ['patterns.\n\nJust as', true],
      ['the  Jacquard\u00a0loom', true],
      ['acquar', true],
      ['<weaves> & "flowers"', true],
      ['Café Zoë oﬃce'.normalize('NFD'), true],
      ['al\u00adge\u200bbraic', true],
      ['Jac\u00adquard', true],
      ['THE JACQUARD LOOM', false],
      ['<em>algebraic</em>', false],
      ['loom.html', false],
      ['title The engine', false],
    ] as const) {
      await expectQuoteFound(editor, _id, quote, isFound);
    }
  });

  it('should be false for words that cleaning removes from a text stored under an older policy', async () => {
    const { _id } = await newBlog('in review');
    await set(_id, {
      $set: { draftText: '<p>still <script>gone</script>here</p>', htmlVersion: 0 },
    });
    await expectQuoteFound(editor, _id, 'still here', true);
    await expectQuoteFound(editor, _id, 'gone', false);
  });
});
