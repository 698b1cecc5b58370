import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { blogIn, type State } from '../../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';
import { makeTransition, personFor, TRANSITION_CASES } from '../../core/transition-table.js';
import { contentCount, fieldsOf, revisionsOf } from './kept-revisions.js';

describe('REVISIONS_KEEP', () => {
  it('should keep what is submitted with the smallest number', async () => {
    const fixture = await openBlogFixture({ env: { REVISIONS_KEEP: '1' } });
    const { author, editor } = fixture;
    const { _id, body, pending } = await blogIn('live in review', author, editor);
    const revisions = await revisionsOf(fixture, _id);
    expect(revisions.map((each) => [each.move, fieldsOf(each)])).toEqual([
      ['publish', body],
      ['submit', pending],
    ]);
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    const [first, last] = await revisionsOf(fixture, _id);
    expect([fieldsOf(first!), fieldsOf(last!), last?.move]).toEqual([body, pending, 'publish']);
  });
});

describe('a blog of an older version, which kept no revisions', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const ALLOWED = TRANSITION_CASES.filter(({ to }) => to !== undefined && to !== 'deleted');

  /** A blog without what this version stores for revisions. */
  async function oldBlog(state: State) {
    const { author, editor, db } = fixture;
    const blog = await blogIn(state, author, editor);
    const _id = new Types.ObjectId(blog._id);
    const $unset = { revisions: 1, submittedAt: 1, submitters: 1, liveSubmitters: 1 };
    await db.collection('blogs').updateOne({ _id }, { $unset });
    await db.collection('blog_revisions').deleteMany({ blog: _id });
    return { ...blog, before: await storedBlog(db, blog._id) };
  }

  it.each(ALLOWED)(
    'should get those that were live or submitted before $transition from $state',
    async ({ transition, state }) => {
      const { author, editor, db } = fixture;
      const { _id, body, pending, before } = await oldBlog(state);
      const edit = { title: 'Another title' };
      const { client } = personFor(transition, fixture);
      expect((await makeTransition(client, transition, _id, edit)).status).toBe(200);

      const [isLive, isSubmitted] = [state.startsWith('live'), state.endsWith('in review')];
      const working = isLive ? pending : body;
      const { rev, publishedAt, updatedAt } = before;
      const { updatedAt: at } = await storedBlog(db, _id);
      const published = { move: 'publish', rev: isSubmitted ? rev - 1 : rev, at: publishedAt };
      const by = transition === 'submit' ? author._id : editor._id;
      const changed = transition === 'correct' ? { ...working, ...edit } : working;
      const isKept = ['submit', 'correct', 'publish'].includes(transition);
      const expected = [
        ...(isLive ? [{ ...published, by: undefined, fields: body }] : []),
        ...(isSubmitted
          ? [{ move: 'submit', rev, at: updatedAt, by: author._id, fields: working }]
          : []),
        ...(isKept ? [{ move: transition, rev: rev + 1, at, by, fields: changed }] : []),
      ];
      const stored = await revisionsOf(fixture, _id);
      expect(
        stored.map((each) => ({
          move: each.move,
          rev: each.rev,
          at: new Date(each.at),
          by: each.by?._id,
          fields: fieldsOf(each),
        })),
      ).toEqual(expected);
    },
  );

  it('should get them once, when many transitions are tried at the same time', async () => {
    const { editor, author, db } = fixture;
    const { _id, body, pending } = await oldBlog('live in review');
    const publish = () => editor.client.put(`/blog/editor/publish/id/${_id}`);
    const withdraw = () => author.client.put(`/blog/author/withdraw/${_id}`);
    const answers = await Promise.all(
      [publish, withdraw, publish, withdraw, publish].map((send) => send()),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [first, second, ...others] = await revisionsOf(fixture, _id);
    expect([fieldsOf(first!), fieldsOf(second!)]).toEqual([body, pending]);
    expect(others.length).toBeLessThanOrEqual(1);
    expect(await contentCount(db, _id)).toBeGreaterThanOrEqual(2);
  });
});
