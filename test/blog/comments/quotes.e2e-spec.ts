import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogIn, STATES, unique, type BlogInState, type State } from '../../support/factories.js';
import { CommentRoutes } from './fixture.js';

/** Whether a reader sees the first version, and the edit; null: nothing is said. */
type Verdicts = readonly [first: boolean | null, edit: boolean | null];

/** The author has the working copy before them, an editor what is submitted, else what is live. */
const BY_STATE: Readonly<Record<State, { readonly author: Verdicts; readonly editor: Verdicts }>> =
  {
    draft: { author: [true, false], editor: [null, null] },
    'in review': { author: [true, false], editor: [true, false] },
    live: { author: [true, false], editor: [true, false] },
    'live with draft': { author: [false, true], editor: [true, false] },
    'live in review': { author: [false, true], editor: [false, true] },
  };

let fixture: BlogFixture;
let author: CommentRoutes;
let editor: CommentRoutes;

beforeAll(async () => {
  fixture = await openBlogFixture();
  author = new CommentRoutes(fixture.author, 'author');
  editor = new CommentRoutes(fixture.editor, 'editor');
});

const newBlog = (state: State, draftText?: string): Promise<BlogInState> =>
  blogIn(state, fixture.author, fixture.editor, draftText === undefined ? {} : { draftText });
async function expectVerdict(
  routes: CommentRoutes,
  blog: string,
  quote: string,
  verdict: boolean | null,
): Promise<void> {
  const expected = verdict === null ? {} : { quoteFound: verdict };
  const made = await routes.created(blog, { text: 'About this', quote });
  const { body: changed } = await routes.change(blog, made._id, { resolved: true });
  const { body: listed } = await routes.list(blog, '?limit=100');
  const last = listed.data.find(({ _id }) => _id === made._id);
  for (const { quoteFound } of [made, changed.data, last ?? made]) {
    expect([quote, quoteFound === undefined ? {} : { quoteFound }]).toEqual([quote, expected]);
  }
}

describe('quoteFound', () => {
  it.each(STATES)('should follow what each may read of a blog that is %s', async (state) => {
    const { _id, body, pending } = await newBlog(state);
    for (const [role, routes] of [
      ['author', author],
      ['editor', editor],
    ] as const) {
      // A draft that was never submitted is not open to editors at all.
      if (role === 'editor' && state === 'draft') continue;
      const [first, edit] = BY_STATE[state][role];
      await expectVerdict(routes, _id, body.title, first);
      await expectVerdict(routes, _id, pending.title, edit);
    }
  });

  const CLOSED = [
    ['withdrawn', 'in review', 'author', 'withdraw'],
    ['unpublished', 'live', 'editor', 'unpublish/id'],
  ] as const;

  it.each(CLOSED)(
    'should tell an editor nothing of a blog that was %s',
    async (_label, from, role, path) => {
      const { _id, body } = await newBlog(from);
      const before = await editor.created(_id, { text: 'About this', quote: body.title });
      expect(before.quoteFound).toBe(true);
      await fixture[role].client.put(`/blog/${role}/${path}/${_id}`);
      const secret = unique('secret');
      await fixture.author.client.put(`/blog/author/id/${_id}`, { draftText: `<p>${secret}</p>` });
      for (const quote of [secret, body.title, 'not there']) {
        await expectVerdict(editor, _id, quote, null);
      }
      const reply = await editor.created(_id, { text: secret, replyTo: before._id });
      expect(reply).not.toHaveProperty('quoteFound');
      const { body: listed } = await editor.list(_id);
      expect(listed.data.filter((comment) => 'quoteFound' in comment)).toEqual([]);
      // The author reads the same comments, and knows the draft.
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

  it('should look for words as a reader sees them, in one field', async () => {
    const { _id } = await newBlog(
      'in review',
      '<p>The engine weaves <em>algebraic</em> <b>pat</b>terns.</p>\n<p>Just as ' +
        'the <a href="/loom.html">Jacquard loom</a> &lt;weaves&gt; &amp; "flowers".</p>',
    );
    for (const [quote, isFound] of [
      ['weaves algebraic patterns', true],
      ['patterns.\n\nJust as', true],
      ['the  Jacquard\u00a0loom', true],
      ['acquar', true],
      ['<weaves> & "flowers"', true],
      ['THE JACQUARD LOOM', false],
      ['<em>algebraic</em>', false],
      ['loom.html', false],
      ['title The engine', false],
    ] as const) {
      await expectVerdict(editor, _id, quote, isFound);
    }
  });

  it('should not find what cleaning removes from a text of an older policy', async () => {
    const { _id } = await newBlog('in review');
    await fixture.db
      .collection('blogs')
      .updateOne(
        { _id: new Types.ObjectId(_id) },
        { $set: { draftText: '<p>still <script>gone</script>here</p>', htmlVersion: 0 } },
      );
    await expectVerdict(editor, _id, 'still here', true);
    await expectVerdict(editor, _id, 'gone', false);
  });
});
