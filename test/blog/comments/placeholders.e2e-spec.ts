import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BlogFixture } from '../core/fixture.js';
import { blogIn } from '../../support/factories.js';
import { openCommentFixture, type CommentRoutes } from './fixture.js';

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

describe('DELETE of a comment with replies', () => {
  it('should leave nothing of a comment with a quote but a placeholder, until the last reply is deleted', async () => {
    const first = await editor.created(blog, { text: 'Secret words', quote: 'Secret quote' });
    const second = await author.created(blog, { text: 'Second', replyTo: first._id });
    const third = await editor.created(blog, { text: 'Third', replyTo: second._id });
    const fourth = await editor.created(blog, { text: 'Fourth', replyTo: first._id });
    const listed = async () => {
      const { text, body } = await author.list(blog);
      expect(text).not.toContain('Secret');
      return body.data.map(({ _id }) => _id);
    };
    await editor.remove(blog, first._id);
    await author.remove(blog, second._id);
    expect(await listed()).toEqual([first._id, second._id, third._id, fourth._id]);
    const stored = await fixture.db.collection('blog_comments').find().toArray();
    expect(JSON.stringify(stored)).not.toContain('Secret');
    await editor.remove(blog, fourth._id);
    expect(await listed()).toEqual([first._id, second._id, third._id]);
    await editor.remove(blog, third._id);
    expect(await listed()).toEqual([]);
  });

  it('should leave no reply without the comment that it answers, whichever request is first', async () => {
    for (let round = 0; round < 24; round++) {
      const { _id } = await editor.created(blog);
      const [answer] = await Promise.all([
        author.create(blog, { text: 'A reply', replyTo: _id }),
        editor.remove(blog, _id),
      ]);
      const ids = (await author.list(blog, '?limit=100')).body.data;
      expect(ids.filter(({ replyTo }) => replyTo === _id)).toHaveLength(
        answer.status === 200 ? 1 : 0,
      );
      expect(ids.some((comment) => comment._id === _id)).toBe(answer.status === 200);
    }
  });
});
