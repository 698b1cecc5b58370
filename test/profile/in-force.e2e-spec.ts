import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, type BlogFixture } from '../blog/core/fixture.js';
import { dueBlog, runDueTransitions } from '../blog/schedule/fixture.js';
import { runAccountJobs } from '../blog/handover/account-jobs.js';
import type { Answer, Client } from '../support/client.js';
import { blogBody, blogIn, PASSWORD, person, type Person } from '../support/factories.js';
import { newPreview } from '../support/previews.js';

/** Every text of the user that is never published contains this. */
const UNPUBLISHED = 'never-published';

interface People {
  readonly editor: Client;
  readonly admin: Client;
  readonly next: Person;
}

interface Item {
  readonly author: { readonly name: string };
  readonly submitted: boolean;
  readonly drafted: boolean;
}

type Call = (people: People, id: string) => Promise<Answer<unknown>>;

const IF_ANY = { headers: { 'if-match': '*' } };

/** What others may ask about one blog. */
const CALLS: Readonly<Record<string, Call>> = {
  'read it': ({ editor }, id) => editor.get(`/blog/editor/id/${id}`),
  'correct it': ({ editor }, id) =>
    editor.put(`/blog/editor/id/${id}`, { title: 'Corrected' }, IF_ANY),
  'check a correction': ({ editor }, id) => editor.put(`/blog/editor/id/${id}`, {}, IF_ANY),
  'publish it': ({ editor }, id) => editor.put(`/blog/editor/publish/id/${id}`),
  'return it': ({ editor }, id) =>
    editor.put(`/blog/editor/return/id/${id}`, { note: 'Please name your sources.' }),
  'assign it': ({ editor }, id) => editor.put(`/blog/editor/assign/id/${id}`, { editor: null }),
  'schedule it': ({ editor }, id) =>
    editor.put(`/blog/editor/schedule/id/${id}`, {
      publishAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  'read its history': ({ editor }, id) => editor.get(`/blog/editor/history/id/${id}`),
  'list its revisions': ({ editor }, id) => editor.get(`/blog/editor/revisions/id/${id}`),
  'read a revision': ({ editor }, id) => editor.get(`/blog/editor/revisions/id/${id}/2`),
  'compare its revisions': ({ editor }, id) => editor.get(`/blog/editor/diff/id/${id}?from=2&to=2`),
  'read its comments': ({ editor }, id) => editor.get(`/blog/editor/comments/id/${id}`),
  'comment on it': ({ editor }, id) => editor.post(`/blog/editor/comments/id/${id}`, { text: 'x' }),
  'make a preview': ({ editor }, id) => editor.post(`/blog/editor/preview/id/${id}`, {}),
  'end its previews': ({ editor }, id) => editor.delete(`/blog/editor/preview/id/${id}`),
  'hand it over': ({ admin, next }, id) =>
    admin.put(`/admin/blogs/id/${id}/author`, { user: next._id }),
  'clear its contributors': ({ admin }, id) => admin.delete(`/admin/blogs/id/${id}/contributors`),
};

describe('a deleted account whose job has not run', () => {
  let fixture: BlogFixture;
  let people: People;
  let ada: Person;
  const ids = new Map<string, string>();
  const tokens: string[] = [];
  let due: string;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    const { editor } = fixture;
    const admin = await person(fixture, 'ADMIN');
    people = { editor: editor.client, admin: admin.client, next: await person(fixture, 'AUTHOR') };
    ada = await person(fixture, 'AUTHOR');
    for (const name of Object.keys(CALLS)) {
      for (const state of ['in review', 'live with draft', 'live in review'] as const) {
        const { _id } = await blogIn(state, ada, editor);
        await fixture.db
          .collection('blogs')
          .updateOne(
            { _id: new Types.ObjectId(_id) },
            { $set: { title: UNPUBLISHED, draftText: `<p>${UNPUBLISHED}</p>` } },
          );
        const text = `${UNPUBLISHED}-comment`;
        await ada.client.post(`/blog/author/comments/id/${_id}`, { text });
        ids.set(`${name} ${state}`, _id);
      }
    }
    const previewed = (await blogIn('in review', ada, editor, blogBody({ title: UNPUBLISHED })))
      ._id;
    tokens.push(await newPreview(ada, 'author', previewed));
    tokens.push(await newPreview(editor, 'editor', previewed));
    due = await dueBlog({ ...fixture, author: ada }, 'in review');
    const deletion = await ada.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect(deletion.status).toBe(200);
  });

  it('should be signed out', async () => {
    expect((await ada.client.get('/blog/author/drafts')).status).toBe(401);
  });

  it('should have its live blogs in the list of editors, as they are live, and no others', async () => {
    const { body, text } = await people.editor.get<Item[]>('/blog/editor/published?limit=100');
    expect(body.data).toHaveLength(2 * Object.keys(CALLS).length);
    const isLive = ({ submitted, drafted, author }: Item) =>
      !submitted && !drafted && author.name === 'Former author';
    expect([body.data.every(isLive), text.includes(UNPUBLISHED)]).toEqual([true, false]);
    for (const list of ['submitted', 'scheduled']) {
      expect((await people.editor.get(`/blog/editor/${list}?limit=100`)).body.data).toEqual([]);
    }
  });

  it('should have no previews', async () => {
    for (const token of tokens) {
      expect((await fixture.client.get(`/blog/preview/${token}`)).status).toBe(404);
    }
  });

  it('should have nothing published by a schedule', async () => {
    await runDueTransitions(fixture);
    expect((await fixture.client.get(`/blog/id/${due}`)).status).toBe(404);
  });

  it.each(Object.keys(CALLS))('should show nobody what was not published: %s', async (name) => {
    const call = CALLS[name] as Call;
    const inReview = await call(people, ids.get(`${name} in review`) ?? '');
    expect([inReview.status, inReview.body.reason]).toEqual([404, 'blog_not_found']);
    for (const state of ['live with draft', 'live in review']) {
      const answer = await call(people, ids.get(`${name} ${state}`) ?? '');
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain(UNPUBLISHED);
    }
  });

  it('should give only what is live to another author, whichever job is first', async () => {
    const { next, admin } = people;
    const path = `/admin/users/id/${ada._id}/blogs/author`;
    expect((await admin.put(path, { user: next._id })).status).toBe(200);
    await runAccountJobs(fixture);
    const blogs = fixture.db.collection('blogs');
    expect(await blogs.countDocuments({ author: new Types.ObjectId(ada._id) })).toBe(0);
    const own = await blogs.find({ author: new Types.ObjectId(next._id) }).toArray();
    expect(own.length).toBeGreaterThan(0);
    expect(
      own.every(({ published, drafted, submitted }) => published && !drafted && !submitted),
    ).toBe(true);
    expect(JSON.stringify(own)).not.toContain(UNPUBLISHED);
  });

  it('should reach neither the event log nor a search', async () => {
    const events = await people.admin.get('/admin/events?limit=100');
    const found = await fixture.client.get(`/blogs/search?q=${UNPUBLISHED}`);
    expect([events.text, found.text].map((text) => text.includes(UNPUBLISHED))).toEqual([
      false,
      false,
    ]);
  });
});
