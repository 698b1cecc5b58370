import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { COMMENTS_MAX } from '../../../src/blog/comments/store/blog-comment.schema.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogIn } from '../../support/factories.js';
import { CommentRoutes } from './fixture.js';

/** Blogs beside the one that is asked for, and comments on each. */
const OTHERS = 20;
const PER_OTHER = 100;

// What each request examines is held to its bound when the server closes (test/support/query-plans).
describe('Many comments', () => {
  let fixture: BlogFixture;
  let blog: string;
  let author: CommentRoutes;
  let editor: CommentRoutes;

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
    fixture = await openBlogFixture();
    author = new CommentRoutes(fixture.author, 'author');
    editor = new CommentRoutes(fixture.editor, 'editor');
    for (let other = 0; other < OTHERS; other += 1) await store(new Types.ObjectId(), PER_OTHER);
  });

  beforeEach(async () => {
    blog = (await blogIn('in review', fixture.author, fixture.editor))._id;
  });

  it('should be listed at any depth', async () => {
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

  it(`should be ${COMMENTS_MAX} at most, until one is deleted`, async () => {
    await store(new Types.ObjectId(blog), COMMENTS_MAX - 1);
    const last = await author.created(blog);
    for (const routes of [author, editor]) {
      const { status, body } = await routes.create(blog, { text: 'A', replyTo: last._id });
      expect([status, body.message]).toEqual([
        400,
        'the blog has 500 comments, which is the maximum: delete some first',
      ]);
    }
    // Those that are there may be changed.
    expect((await author.change(blog, last._id, { resolved: true })).status).toBe(200);
    expect((await author.remove(blog, last._id)).status).toBe(200);
    expect((await editor.create(blog)).status).toBe(200);
  });

  it('should not grow beyond that by more than what is under way', async () => {
    await store(new Types.ObjectId(blog), COMMENTS_MAX - 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => editor.create(blog)));
    const made = answers.filter(({ status }) => status === 200).length;
    expect(made).toBeGreaterThan(0);
    const comments = fixture.db.collection('blog_comments');
    const stored = await comments.countDocuments({ blog: new Types.ObjectId(blog) });
    expect(stored).toBe(COMMENTS_MAX - 1 + made);
    expect((await editor.create(blog)).status).toBe(400);
  });

  it('should not keep other requests waiting, whatever they quote', async () => {
    // Each of these quotes nearly matches at every place of the text.
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
