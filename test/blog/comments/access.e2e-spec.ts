import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { CommentStore } from '../../../src/blog/comments/store/comment-store.js';
import { openBlogFixture, type BlogFixture, person } from '../core/fixture.js';
import { blogIn, type State } from '../../support/factories.js';
import { CommentRoutes, type Comment } from './fixture.js';

let fixture: BlogFixture;
let author: CommentRoutes;
let editor: CommentRoutes;

beforeAll(async () => {
  fixture = await openBlogFixture();
  author = new CommentRoutes(fixture.author, 'author');
  editor = new CommentRoutes(fixture.editor, 'editor');
});

const newBlog = async (state: State): Promise<string> =>
  (await blogIn(state, fixture.author, fixture.editor))._id;
const set = (blog: string, update: object) =>
  fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(blog) }, update);
/** Stored without the API, so that every blog has one. */
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

/** What every route answers. */
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
const publishing = (path: string) => fixture.editor.client.put(`/blog/editor/${path}`);
const withdraw = (id: string) => put(`/blog/author/withdraw/${id}`);
async function withdrawAndEdit(id: string): Promise<void> {
  await withdraw(id);
  await put(`/blog/author/id/${id}`, { title: 'Another title' });
}
const forgetSubmission = (id: string) => set(id, { $unset: { submittedAt: 1 } });
const rememberPublication = (id: string) => set(id, { $set: { publishedAt: new Date(0) } });
const leave = (id: string) => set(id, { $set: { authorLeft: true } });

/** Changes of a blog, by its state before, and what editors are answered afterwards. */
const CHANGES: readonly (readonly [
  label: string,
  from: State,
  forEditors: 200 | 404,
  change: (blog: string) => Promise<unknown>,
])[] = [
  ['withdrawn', 'in review', 200, (id) => put(`/blog/author/withdraw/${id}`)],
  ['withdrawn and edited', 'in review', 200, withdrawAndEdit],
  ['unpublished', 'live', 200, (id) => publishing(`unpublish/id/${id}`)],
  ['stored as submitted by an older server', 'in review', 200, forgetSubmission],
  ['a draft that an older server once published', 'draft', 200, rememberPublication],
  ['live of a former author', 'live', 200, leave],
  [
    'a returned draft of a former author',
    'in review',
    404,
    (id) => withdraw(id).then(() => leave(id)),
  ],
];

// The access matrix proves the states of an article that this version stores.
describe('Comments', () => {
  it.each(CHANGES)('should be open to editors or not: %s', async (_label, from, status, change) => {
    const blog = await newBlog(from);
    await change(blog);
    expect(await statusesOf(editor, blog, fixture.editor._id)).toEqual([status]);
  });

  it('should be closed to an editor as such on a draft of their own', async () => {
    const both = await person(fixture, 'AUTHOR', 'EDITOR');
    const { _id } = await blogIn('draft', both, fixture.editor);
    expect(await statusesOf(new CommentRoutes(both, 'editor'), _id, both._id)).toEqual([404]);
    expect(await statusesOf(new CommentRoutes(both, 'author'), _id, both._id)).toEqual([200]);
  });

  it('should be out of reach while the blog is hidden in the database', async () => {
    const hidden = await newBlog('live');
    await set(hidden, { $set: { status: false } });
    expect(await statusesOf(author, hidden, fixture.author._id)).toEqual([404]);
    expect(await statusesOf(editor, hidden, fixture.editor._id)).toEqual([404]);
  });

  it('should all be removed with their blog, those under way included', async () => {
    const store = fixture.app.get(CommentStore, { strict: false });
    for (let round = 0; round < 3; round += 1) {
      const blog = await newBlog('in review');
      const other = await newBlog('in review');
      const kept: Comment = await editor.created(other);
      const trash = async (): Promise<void> => {
        await fixture.author.client.delete(`/blog/author/id/${blog}`);
        await store.removeAllOf(new Types.ObjectId(blog));
      };
      const creations = Array.from({ length: 20 }, () => editor.create(blog));
      const [, ...answers] = await Promise.all([trash(), ...creations]);
      expect(answers.every(({ status }) => [200, 404].includes(status))).toBe(true);
      const stored = fixture.db.collection('blog_comments');
      expect(await stored.countDocuments({ blog: new Types.ObjectId(blog) })).toBe(0);
      expect((await author.list(other)).body.data).toEqual([kept]);
    }
  });
});
