import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import { FLAGS, openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { handOverAllBy, runAccountJobs, storedBlogsOf, type User } from './account-jobs.js';
import type { Answer } from '../../support/client.js';
import {
  account,
  blogIn,
  PASSWORD,
  person,
  STATES,
  unknownId,
  type Person,
} from '../../support/factories.js';

const NOT_AN_AUTHOR = 'user must be the id of an enabled user with the role AUTHOR';

let fixture: BlogFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await openBlogFixture();
  admin = await person(fixture, 'ADMIN');
});

afterEach(() => {
  jest.restoreAllMocks();
});

const newAuthor = (): Promise<Person> => person(fixture, 'AUTHOR');
const handOver = (id: string, { _id: user }: User): Promise<Answer<unknown>> =>
  admin.client.put(`/admin/blogs/id/${id}/author`, { user });
const handOverAll = (from: User, to: User): Promise<Answer<unknown>> =>
  handOverAllBy(admin, from, to);
const blogsOf = (user: User) => storedBlogsOf(fixture, user);

/** Deletes the account of the user. The rest of the deletion waits for the job. */
async function leave({ client }: Person): Promise<void> {
  const { status } = await client.delete('/profile/mine', { body: { password: PASSWORD } });
  if (status !== 200) throw new Error(`the account was not deleted: ${status}`);
}

describe('PUT /admin/blogs/id/{id}/author', () => {
  it.each(STATES)('should hand over a blog that is %s and keep its state', async (state) => {
    const { author, editor, client, db } = fixture;
    const next = await newAuthor();
    const { _id, body } = await blogIn(state, author, editor);
    const before = await storedBlog(db, _id);
    // This read caches the blog.
    await client.get(`/blog/id/${_id}`);
    const { status, body: answer } = await handOver(_id, next);
    expect([status, answer.message]).toEqual([200, 'blog handed over successfully']);

    const { author: shown } = (await client.get(`/blog/slug/${body.slug}`)).body.data ?? {};
    const read = await client.get(`/blog/id/${_id}`);
    const expectedAuthor = { _id: next._id, name: next.name };
    expect((await author.client.get(`/blog/author/id/${_id}`)).status).toBe(404);
    const own = await next.client.get(`/blog/author/id/${_id}`);
    if (FLAGS[state].published) {
      expect([shown, read.body.data.author]).toEqual([expectedAuthor, expectedAuthor]);
      // Readers see another author, so the public `updatedAt` changes too.
      expect(read.body.data.updatedAt).toBe(own.body.data.updatedAt);
    } else {
      expect(read.status).toBe(404);
    }
    expect(own.body.data).toMatchObject({ ...FLAGS[state], author: expectedAuthor });
    expect(own.headers.get('etag')).toBe(`"${before['rev'] + 1}"`);
    const history = await next.client.get(`/blog/author/history/id/${_id}`);
    expect(history.body.data[0]).toMatchObject({
      move: 'handOver',
      by: { _id: admin._id },
      from: state,
      to: state,
    });
    const { previewGeneration, revisions } = await storedBlog(db, _id);
    expect([previewGeneration, revisions]).toEqual([1, before['revisions']]);
  });

  it('should make a blog of a deleted account editable again', async () => {
    const { editor, client } = fixture;
    const [ada, next] = [await newAuthor(), await newAuthor()];
    const { _id, body } = await blogIn('live with draft', ada, editor);
    await leave(ada);
    expect((await client.get(`/blog/id/${_id}`)).body.data.author.name).toBe('Former author');
    expect((await handOver(_id, next)).status).toBe(200);
    expect((await client.get(`/blog/id/${_id}`)).body.data).toMatchObject({
      title: body.title,
      author: { _id: next._id, name: next.name },
    });
    expect((await next.client.get(`/blog/author/id/${_id}`)).body.data.title).toBe(body.title);
    const edit = await next.client.put(`/blog/author/id/${_id}`, { title: 'A new title' });
    expect(edit.status).toBe(200);
    await editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    // The blog has an author again, so unpublishing made it a draft.
    expect((await next.client.get(`/blog/author/id/${_id}`)).body.data.title).toBe('A new title');
  });

  it('should refuse a user who cannot be an author', async () => {
    const { author, editor, db } = fixture;
    const { _id } = await blogIn('live', author, editor);
    const before = await storedBlog(db, _id);
    const disabled = await newAuthor();
    await admin.client.put(`/admin/users/id/${disabled._id}/status`, { enabled: false });
    const gone = await newAuthor();
    await leave(gone);
    const learner = await account(fixture);
    for (const user of [disabled, gone, learner, { _id: unknownId() }, editor]) {
      for (const { status, body } of [await handOver(_id, user), await handOverAll(author, user)]) {
        expect([status, body.message]).toEqual([400, NOT_AN_AUTHOR]);
      }
    }
    expect(await storedBlog(db, _id)).toEqual(before);
  });

  it('should change nothing when it is repeated, and refuse anything but an id', async () => {
    const next = await newAuthor();
    const { _id } = await blogIn('live', fixture.author, fixture.editor);
    await handOver(_id, next);
    const before = await storedBlog(fixture.db, _id);
    expect((await handOver(_id, next)).status).toBe(200);
    for (const user of [undefined, null, 'ada', { $ne: null }]) {
      const { status } = await admin.client.put(`/admin/blogs/id/${_id}/author`, { user });
      expect(status).toBe(422);
    }
    expect(await storedBlog(fixture.db, _id)).toEqual(before);
  });
});

describe('a handover while an account is deleted', () => {
  type Calls = Record<string, (...given: unknown[]) => Promise<unknown>>;

  /** Runs `work` once, just before or just after the next transition. */
  function runAtNextTransition(when: 'before' | 'after', work: () => Promise<unknown>): void {
    const service: object = fixture.app.get(BlogTransitionService);
    const transitions = service as Calls;
    const transition = transitions['apply']?.bind(transitions);
    const spy = jest.spyOn(transitions, 'apply').mockImplementation(async (...given) => {
      spy.mockRestore();
      if (when === 'before') await work();
      const result = await transition?.(...given);
      if (when === 'after') await work();
      return result;
    });
  }

  it.each(['before', 'after'] as const)(
    'should leave no draft or pending edit if the new author deletes the account just %s the transition',
    async (when) => {
      const { author, editor } = fixture;
      for (const state of STATES) {
        const next = await newAuthor();
        const { _id, body, pending } = await blogIn(state, author, editor);
        runAtNextTransition(when, () => leave(next));
        const { status, body: answer } = await handOver(_id, next);
        expect([status, answer.message]).toEqual([400, NOT_AN_AUTHOR]);
        await runAccountJobs(fixture);
        const remaining = await blogsOf(next);
        expect(remaining.map((blog) => String(blog._id))).toEqual(
          FLAGS[state].published ? [_id] : [],
        );
        expect(JSON.stringify(remaining)).not.toContain(pending.title);
        for (const blog of remaining) {
          expect(blog).toMatchObject({ ...FLAGS.live, title: body.title, authorLeft: true });
        }
      }
    },
  );

  it('should hand over only the live version if the author deletes the account just before the transition', async () => {
    const { editor, db } = fixture;
    for (const state of STATES) {
      const [ada, next] = [await newAuthor(), await newAuthor()];
      const { _id, body, pending } = await blogIn(state, ada, editor);
      runAtNextTransition('before', () => leave(ada));
      const { status } = await handOver(_id, next);
      const isLive = FLAGS[state].published;
      expect([state, status]).toEqual([state, isLive ? 200 : 404]);
      const handedOver = await blogsOf(next);
      expect(handedOver.map((blog) => String(blog._id))).toEqual(isLive ? [_id] : []);
      expect(JSON.stringify(handedOver)).not.toContain(pending.title);
      if (isLive) expect(await storedBlog(db, _id)).toMatchObject({ title: body.title });
      await runAccountJobs(fixture);
      expect(await blogsOf(ada)).toEqual([]);
    }
  });
});
