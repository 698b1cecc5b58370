import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { blogIn, type State } from '../../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';
import { BY_AUTHOR, makeTransition, TRANSITION_CASES } from '../../core/transition-table.js';
import { contentCount, fieldsOf, revisionsOf } from './kept-revisions.js';

describe('REVISIONS_KEEP', () => {
  it('should drop the oldest, but not the first publication and not the live one', async () => {
    const fixture = await openBlogFixture({ env: { REVISIONS_KEEP: '3' } });
    const { author, editor } = fixture;
    const { _id } = await blogIn('live', author, editor);
    const list = async () =>
      (await revisionsOf(fixture, _id)).map(
        ({ move: transition, rev, title }) => `${transition} ${rev}: ${title}`,
      );
    const submit = async (title: string) => {
      await author.client.put(`/blog/author/withdraw/${_id}`);
      await author.client.put(`/blog/author/id/${_id}`, { title });
      await author.client.put(`/blog/author/submit/${_id}`);
    };
    const [, first = ''] = await list();
    await submit('Live');
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    await editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    await submit('Once more');
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    expect(await list()).toEqual([
      first,
      'publish 6: Live',
      'submit 9: Once more',
      'publish 10: Once more',
    ]);
    for (const title of ['One', 'Two', 'Three', 'Four']) await submit(title);
    expect(await list()).toEqual([
      first,
      'publish 10: Once more',
      'submit 15: Two',
      'submit 18: Three',
      'submit 21: Four',
    ]);
  });

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

  const ALLOWED = TRANSITION_CASES.filter(({ to }) => to !== undefined);

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
    'should get those that were live or submitted before $move from $state',
    async (given) => {
      const { author, editor, db } = fixture;
      const { move: transition, state, to } = given;
      const { _id, body, pending, before } = await oldBlog(state);
      const { client } = (BY_AUTHOR as readonly string[]).includes(transition) ? author : editor;
      const edit = { title: 'Another title' };
      expect((await makeTransition(client, transition, _id, edit)).status).toBe(200);

      const isLive = state.startsWith('live');
      const isSubmitted = state.endsWith('in review');
      const working = isLive ? pending : body;
      const { rev, publishedAt, updatedAt } = before;
      const published = { move: 'publish', rev: isSubmitted ? rev - 1 : rev, at: publishedAt };
      const submitted = { move: 'submit', rev, at: updatedAt };
      const adopted = [
        ...(isLive ? [{ ...published, fields: body }] : []),
        ...(isSubmitted ? [{ ...submitted, fields: working }] : []),
      ];
      const isKept = ['submit', 'correct', 'publish'].includes(transition);
      const changed = transition === 'correct' ? { ...working, ...edit } : working;
      const { updatedAt: at, revisions = [] } = await storedBlog(db, _id);
      const made = isKept ? [{ move: transition, rev: rev + 1, at, fields: changed }] : [];
      const expected = [...adopted, ...made];
      if (to === 'deleted') {
        expect(
          revisions.map(({ move: name, rev: number }: { move: string; rev: number }) => [
            name,
            number,
          ]),
        ).toEqual(expected.map((each) => [each.move, each.rev]));
        return;
      }
      const stored = await revisionsOf(fixture, _id);
      expect(
        stored.map((each) => ({
          move: each.move,
          rev: each.rev,
          at: new Date(each.at),
          fields: fieldsOf(each),
        })),
      ).toEqual(expected);
      expect(stored.map(({ by }) => by?._id)).toEqual([
        ...(isLive ? [undefined] : []),
        ...(isSubmitted ? [author._id] : []),
        ...(isKept ? [transition === 'submit' ? author._id : editor._id] : []),
      ]);
    },
  );

  it('should get them once, when many move it at the same time', async () => {
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
