import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { COMMENTS_MAX } from '../../../src/blog/comments/store/blog-comment.schema.js';
import type { BlogFixture } from '../core/fixture.js';
import { badFields, badTexts, expectFieldErrors } from '../../support/checks/bad-bodies.js';
import { blogIn, person, unknownId } from '../../support/factories.js';
import { openCommentFixture, CommentRoutes } from './fixture.js';

const OTHER_BLOGS = 20;
const COMMENTS_PER_OTHER_BLOG = 100;

const MARKUP = '<b>Which</b> engine?\n\n"&amp;" {{x}} $where 😀';

/** A few bad values of an optional text; text.decorator.spec.ts tests the other ones. */
const fewBadTexts = (field: string, max: number) =>
  badTexts(field, { min: 1, max, optional: true }).filter(({ label }) =>
    ['null', 'blanks', `${max + 1} emoji`].includes(label),
  );

let fixture: BlogFixture;
let blog: string;
let author: CommentRoutes;
let editor: CommentRoutes;

beforeAll(async () => {
  ({ fixture, author, editor } = await openCommentFixture());
});

beforeEach(async () => {
  blog = (await blogIn('in review', fixture.author, fixture.editor))._id;
});

describe('POST /blog/{author|editor}/comments/id/{id}', () => {
  it('should answer with the new comment, and list comments for author and editor, oldest first', async () => {
    const first = await editor.create(blog, { text: `  ${MARKUP}\n`, quote: ' <i>not there</i> ' });
    const { _id, name } = fixture.editor;
    expect(first.body).toEqual({
      code: '10000',
      status: 200,
      message: 'comment created successfully',
      data: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        text: MARKUP,
        quote: '<i>not there</i>',
        quoteFound: false,
        resolved: false,
        by: { _id, name },
        at: expect.any(String),
        rev: 2,
      },
    });
    const reply = await author.create(blog, { text: 'A', replyTo: first.body.data._id });
    expect(reply.body.data).toEqual({
      _id: expect.any(String),
      text: 'A',
      replyTo: first.body.data._id,
      resolved: false,
      by: { _id: fixture.author._id, name: fixture.author.name },
      at: expect.any(String),
      rev: 2,
    });
    const expected = [first.body.data, reply.body.data];
    expect((await author.list(blog)).body.data).toEqual(expected);
    expect((await editor.list(blog)).body.data).toEqual(expected);
  });

  it('should keep the revision number at which a comment was written', async () => {
    const { client } = fixture.author;
    const before = await author.created(blog);
    await client.put(`/blog/author/withdraw/${blog}`);
    await client.put(`/blog/author/id/${blog}`, { title: 'Another title' });
    const after = await author.created(blog);
    await author.change(blog, before._id, { text: 'Edited later' });
    const { body } = await author.list(blog);
    expect(body.data.map(({ _id, rev }) => [_id, rev])).toEqual([
      [before._id, 2],
      [after._id, 4],
    ]);
  });

  it('should refuse a reply to anything but a comment on this blog', async () => {
    const other = await blogIn('in review', fixture.author, fixture.editor);
    const elsewhere = await editor.created(other._id);
    const deleted = await editor.created(blog);
    await editor.remove(blog, deleted._id);
    for (const replyTo of [elsewhere._id, deleted._id, unknownId(), blog]) {
      const { status, body } = await editor.create(blog, { text: 'A reply', replyTo });
      expect([status, body.message]).toEqual([
        400,
        'replyTo must be the _id of a comment on this blog: it may have been deleted',
      ]);
    }
    expect((await editor.list(blog)).body.data).toEqual([]);
  });

  it.each([
    ...fewBadTexts('text', 2_000),
    ...fewBadTexts('quote', 300),
    ...badFields('replyTo', 'replyTo must be 24 hexadecimal characters', [
      ['a MongoDB operator', { $gt: '' }],
      ['25 characters', 'a'.repeat(25)],
    ]),
  ])('should refuse $label as $field', async ({ field, value, message }) => {
    const answer = await editor.create(blog, { text: 'A comment', [field]: value });
    expectFieldErrors(answer, { field, message });
  });
});

describe('PUT /blog/{author|editor}/comments/id/{id}/{comment}', () => {
  const FORBIDDEN_ANSWER = [403, 'the comment is not yours: reply to it or resolve it instead'];

  it('should change the fields in the body, and nothing else', async () => {
    const comment = await editor.created(blog, { text: 'A question', quote: 'nowhere' });
    const change = async (body: object) => (await editor.change(blog, comment._id, body)).body.data;
    expect(await change({ text: ' Another ' })).toEqual({ ...comment, text: 'Another' });
    expect(await change({ resolved: true })).toEqual({
      ...comment,
      text: 'Another',
      resolved: true,
    });
    expect(await change({})).toEqual({ ...comment, text: 'Another', resolved: true });
    expect(await change({ text: 'A question', resolved: false })).toEqual(comment);
    expect((await editor.list(blog)).body.data).toEqual([comment]);
  });

  it('should let all who may comment resolve a comment, but only the user who wrote it change or delete it', async () => {
    const second = new CommentRoutes(await person(fixture, 'EDITOR'), 'editor');
    const byEditor = await editor.created(blog);
    const byAuthor = await author.created(blog);
    for (const [who, comment] of [
      [author, byEditor],
      [second, byEditor],
      [second, byAuthor],
      [editor, byAuthor],
    ] as const) {
      for (const body of [{ text: 'Mine now' }, { text: 'Mine now', resolved: true }]) {
        const answer = await who.change(blog, comment._id, body);
        expect([answer.status, answer.body.message]).toEqual(FORBIDDEN_ANSWER);
      }
      const deletion = await who.remove(blog, comment._id);
      expect([deletion.status, deletion.body.message]).toEqual(FORBIDDEN_ANSWER);
      for (const resolved of [true, false]) {
        const { body } = await who.change(blog, comment._id, { resolved });
        expect(body.data).toEqual({ ...comment, resolved });
      }
    }
    expect((await author.list(blog)).body.data).toEqual([byEditor, byAuthor]);
  });

  it('should keep both of two concurrent changes', async () => {
    const { _id } = await editor.created(blog);
    for (let round = 1; round <= 4; round += 1) {
      const resolved = round % 2 === 1;
      await Promise.all([
        editor.change(blog, _id, { text: `Text ${round}` }),
        author.change(blog, _id, { resolved }),
      ]);
      const { body } = await author.list(blog);
      expect(body.data).toMatchObject([{ text: `Text ${round}`, resolved }]);
    }
  });

  it.each([
    ...fewBadTexts('text', 2_000),
    ...badFields('resolved', 'resolved must be true or false', [
      ['null', null],
      ['a text', 'true'],
    ]),
  ])('should refuse $label as $field', async ({ field, value, message }) => {
    const { _id } = await editor.created(blog);
    expectFieldErrors(await editor.change(blog, _id, { [field]: value }), { field, message });
  });
});

describe('DELETE /blog/{author|editor}/comments/id/{id}/{comment}', () => {
  it('should remove the comment and keep the replies to it', async () => {
    const comment = await editor.created(blog);
    const reply = await author.created(blog, { text: 'A reply', replyTo: comment._id });
    const { body } = await editor.remove(blog, comment._id);
    expect(body).toEqual({ code: '10000', status: 200, message: 'comment deleted successfully' });
    const placeholder = {
      ...comment,
      text: '',
      deleted: true,
      by: { _id: '0'.repeat(24), name: 'Former user' },
    };
    expect((await editor.list(blog)).body.data).toEqual([placeholder, reply]);
    for (const attempt of [
      () => editor.remove(blog, comment._id),
      () => editor.change(blog, comment._id, { text: 'Again' }),
      () => author.change(blog, comment._id, { resolved: true }),
    ]) {
      expect((await attempt()).body.reason).toBe('comment_not_found');
    }
    const again = await author.create(blog, { text: 'A', replyTo: comment._id });
    expect(again.body.reason).toBe('unknown_comment');
  });

  it('should find a comment only under its own blog', async () => {
    const other = (await blogIn('in review', fixture.author, fixture.editor))._id;
    const { _id } = await editor.created(blog);
    for (const [path, comment] of [
      [other, _id],
      [blog, unknownId()],
      [blog, blog],
    ] as const) {
      for (const { status, body } of [
        await editor.change(path, comment, { text: 'Moved' }),
        await editor.change(path, comment, { resolved: true }),
        await editor.change(path, comment, {}),
        await editor.remove(path, comment),
      ]) {
        expect([status, body.message]).toEqual([404, 'comment not found']);
      }
    }
    expect((await editor.list(blog)).body.data).toHaveLength(1);
  });
});

// When the server closes, test/support/query-plans checks how much each request examined.
describe('Many comments', () => {
  async function store(
    blogId: Types.ObjectId,
    count: number,
    quoteOf?: (number: number) => string,
  ): Promise<void> {
    const by = new Types.ObjectId(fixture.editor._id);
    await fixture.db.collection('blog_comments').insertMany(
      Array.from({ length: count }, (_, number) => ({
        _id: new Types.ObjectId(),
        blog: blogId,
        by,
        text: `Comment ${number}`,
        resolved: false,
        at: new Date(),
        rev: 1,
        ...(quoteOf ? { quote: quoteOf(number) } : {}),
      })),
    );
  }

  beforeAll(async () => {
    for (let other = 0; other < OTHER_BLOGS; other += 1)
      await store(new Types.ObjectId(), COMMENTS_PER_OTHER_BLOG);
  });

  it('should be listed on any page', async () => {
    await store(new Types.ObjectId(blog), COMMENTS_MAX);
    for (const page of [1, 3, 5]) {
      const { body } = await author.list(blog, `?page=${page}&limit=100`);
      const first = (page - 1) * 100;
      expect(body.data.map(({ text }) => text)).toEqual(
        Array.from({ length: 100 }, (_, index) => `Comment ${first + index}`),
      );
    }
    expect((await author.list(blog, '?page=6&limit=100')).body.data).toEqual([]);
  });

  it(`should be refused beyond ${COMMENTS_MAX} until one is deleted`, async () => {
    await store(new Types.ObjectId(blog), COMMENTS_MAX - 1);
    const last = await author.created(blog);
    for (const routes of [author, editor]) {
      const { status, body } = await routes.create(blog, { text: 'A', replyTo: last._id });
      expect([status, body.message]).toEqual([
        400,
        'the blog has 500 comments, which is the maximum: delete some first',
      ]);
    }
    // Existing comments may still be changed.
    expect((await author.change(blog, last._id, { resolved: true })).status).toBe(200);
    expect((await author.remove(blog, last._id)).status).toBe(200);
    expect((await editor.create(blog)).status).toBe(200);
  });

  it('should exceed the maximum only by comments that are created concurrently', async () => {
    await store(new Types.ObjectId(blog), COMMENTS_MAX - 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => editor.create(blog)));
    const createdCount = answers.filter(({ status }) => status === 200).length;
    expect(createdCount).toBeGreaterThan(0);
    const comments = fixture.db.collection('blog_comments');
    const stored = await comments.countDocuments({ blog: new Types.ObjectId(blog) });
    expect(stored).toBe(COMMENTS_MAX - 1 + createdCount);
    expect((await editor.create(blog)).status).toBe(400);
  });

  it('should not block the event loop, whatever they quote', async () => {
    // At every position of the text, each of these quotes differs from the text in only one character.
    const draftText = 'a'.repeat(100_000);
    blog = (await blogIn('in review', fixture.author, fixture.editor, { draftText }))._id;
    await store(new Types.ObjectId(blog), 100, (number) => `ab${'a'.repeat(298 - number)}`);
    let isDone = false;
    let longest = 0;
    let since = process.threadCpuUsage();
    const turn = (): void => {
      const { user, system } = process.threadCpuUsage(since);
      longest = Math.max(longest, user + system);
      since = process.threadCpuUsage();
      if (!isDone) setImmediate(turn);
    };
    turn();
    const { body } = await editor.list(blog, '?limit=100');
    isDone = true;
    expect(body.data.map(({ quoteFound }) => quoteFound)).toEqual(Array(100).fill(false));
    expect(longest).toBeLessThan(200_000);
  });
});
