import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogStore } from '../../../src/blog/core/blog-store.js';
import { BATCH } from '../../../src/blog/jobs/author-blogs.service.js';
import {
  handOverAllBy,
  killAccountJob,
  runAccountJobs,
  storedBlogsOf,
  type User,
} from './account-jobs.js';
import { refusal } from '../../support/checks/refusal.js';
import type { Answer } from '../../support/client.js';
import {
  blogIn,
  PASSWORD,
  person,
  STATES,
  unknownId,
  type Person,
} from '../../support/factories.js';
import { until } from '../../support/time/wait.js';
import {
  FLAGS,
  openBlogFixture,
  storeCopies,
  storedBlog,
  type BlogFixture,
} from '../core/fixture.js';

interface Job {
  readonly _id: string;
  readonly state: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
}

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
const handOverAll = (from: User, to: User): Promise<Answer<unknown>> =>
  handOverAllBy(admin, from, to);
const blogsOf = (user: User) => storedBlogsOf(fixture, user);

describe('PUT /admin/users/id/{id}/blogs/author', () => {
  const jobOf = async (from: User, to: User): Promise<Job> => {
    const { status, body } = await handOverAll(from, to);
    if (status !== 200) throw new Error(body.message);
    return body.data as Job;
  };
  const jobNow = async ({ _id }: Job): Promise<Job> =>
    (await admin.client.get<Job>(`/admin/jobs/id/${_id}`)).body.data;
  const copiesOf = async (author: Person, count: number): Promise<void> => {
    const { _id } = await blogIn('draft', author, fixture.editor);
    await storeCopies(
      fixture.db,
      _id,
      Array(count - 1).fill(() => ({})),
    );
  };

  it('should hand over all blogs that are not in the trash, and say how far it is', async () => {
    const { editor } = fixture;
    const [ada, next] = [await newAuthor(), await newAuthor()];
    const ids: string[] = [];
    for (const state of STATES) ids.push((await blogIn(state, ada, editor))._id);
    const { _id: trashed } = await blogIn('live', ada, editor);
    await ada.client.delete(`/blog/author/id/${trashed}`);
    const job = await jobOf(ada, next);
    expect(job).toEqual({ _id: job._id, kind: 'handOver', state: 'waiting', count: 0 });
    await runAccountJobs(fixture);
    expect((await blogsOf(next)).map(({ _id }) => String(_id)).sort()).toEqual(ids.sort());
    const done = await jobNow(job);
    expect(done).toMatchObject({ _id: job._id, state: 'done', count: STATES.length });
    expect(Date.parse(done.finishedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(done.startedAt ?? ''),
    );
    expect((await ada.client.put(`/blog/author/undelete/id/${trashed}`)).status).toBe(200);
    const own = await jobOf(next, next);
    await runAccountJobs(fixture);
    expect(await jobNow(own)).toMatchObject({ state: 'done', count: 0 });
    expect((await admin.client.get(`/admin/jobs/id/${unknownId()}`)).body).toEqual(
      refusal('job_not_found', 'job not found'),
    );
  });

  it('should write the same as the handover of one blog', async () => {
    const { editor, db } = fixture;
    const [ada, next] = [await newAuthor(), await newAuthor()];
    // A text may have more words than another.
    const withoutWords = (key: string, value: unknown) =>
      key === 'words' || key === 'spellings' ? undefined : value;
    const withoutTimes = (document: object) =>
      JSON.parse(
        JSON.stringify(document, withoutWords)
          .replaceAll(/"\d{4}-[^"]*Z"/g, '"time"')
          .replaceAll(/"[0-9a-f]{24}"/g, '"id"')
          // A random part may have letters only.
          .replaceAll(/"[0-9a-f]{6}"/g, '"text"')
          .replaceAll(/"(https:|[+-]tag:)?[^":,]*\d[^":,]*"/g, '"text"'),
      ) as Record<string, unknown>;
    for (const state of STATES) {
      const [one, other] = [await blogIn(state, ada, editor), await blogIn(state, ada, editor)];
      await admin.client.put(`/admin/blogs/id/${one._id}/author`, { user: next._id });
      await jobOf(ada, next);
      await runAccountJobs(fixture);
      const [single, bulk] = [await storedBlog(db, one._id), await storedBlog(db, other._id)];
      expect(withoutTimes(bulk)).toEqual(withoutTimes(single));
      const { lists } = (bulk['publicChanges'] as { lists: string[] }[] | undefined)?.at(-1) ?? {};
      if (!FLAGS[state].published) continue;
      expect(lists).toEqual(expect.arrayContaining([`-author:${ada._id}`, `+author:${next._id}`]));
    }
  });

  it('should return the unfinished job again, and leave what the author writes later', async () => {
    const [ada, next, third] = [await newAuthor(), await newAuthor(), await newAuthor()];
    await blogIn('draft', ada, fixture.editor);
    const job = await jobOf(ada, next);
    expect(await jobOf(ada, next)).toEqual(job);
    expect((await jobOf(ada, third))._id).not.toBe(job._id);
    const askedAt = Date.now();
    await until('a later time', () => Date.now() > askedAt);
    const later = await blogIn('draft', ada, fixture.editor);
    await runAccountJobs(fixture);
    expect((await blogsOf(ada)).map(({ _id }) => String(_id))).toEqual([later._id]);
    expect((await jobOf(ada, next))._id).not.toBe(job._id);
    await runAccountJobs(fixture);
  });

  it('should hand over the blogs of a deleted account', async () => {
    const [ada, next] = [await newAuthor(), await newAuthor()];
    const { _id } = await blogIn('live', ada, fixture.editor);
    const { _id: draft } = await blogIn('draft', ada, fixture.editor);
    await ada.client.delete('/profile/mine', { body: { password: PASSWORD } });
    const job = await jobOf(ada, next);
    await runAccountJobs(fixture);
    expect(await jobNow(job)).toMatchObject({ state: 'done', count: 1 });
    expect((await next.client.get(`/blog/author/id/${_id}`)).status).toBe(200);
    expect((await next.client.get(`/blog/author/id/${draft}`)).status).toBe(404);
    // A deleted account without blogs is unknown.
    expect((await handOverAll(ada, next)).status).toBe(404);
  });

  // The query-plan check would fail this file if a query examined many more blogs than it returns.
  it('should continue after an interruption', async () => {
    const { app } = fixture;
    const [ada, next] = [await newAuthor(), await newAuthor()];
    await copiesOf(ada, 2 * BATCH + 1);
    const job = await jobOf(ada, next);
    const store = app.get(BlogStore);
    const updateMany = store.updateMany.bind(store);
    let calls = 0;
    jest.spyOn(store, 'updateMany').mockImplementation(async (...given) => {
      if ((calls += 1) === 3) throw new Error('simulated crash');
      return updateMany(...given);
    });
    await expect(runAccountJobs(fixture)).rejects.toThrow('simulated crash');
    expect(await jobNow(job)).toMatchObject({ state: 'running', count: 2 * BATCH });
    expect(await blogsOf(next)).toHaveLength(2 * BATCH);
    await runAccountJobs(fixture);
    expect(await jobNow(job)).toMatchObject({ state: 'done', count: 2 * BATCH + 1 });
    expect(await blogsOf(ada)).toEqual([]);
    const events = (await blogsOf(next)).map((blog) => blog['events'] as { move: string }[]);
    const counts = events.map((own) => own.filter((event) => event.move === 'handOver').length);
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  it.each(['half', 'after'])(
    'should hand over each blog once although a process was killed within a batch (%s)',
    async (when) => {
      const [ada, next] = [await newAuthor(), await newAuthor()];
      await copiesOf(ada, 10);
      const job = await jobOf(ada, next);
      await killAccountJob(fixture, when, 'handover/blog-handover.service.js', [
        'BlogHandoverService',
        'giveAll',
      ]);
      expect(await blogsOf(next)).toHaveLength(when === 'half' ? 5 : 10);
      await runAccountJobs(fixture);
      expect(await jobNow(job)).toMatchObject({ state: 'done' });
      const moves = (await blogsOf(next)).flatMap((blog) => blog['events'] as { move: string }[]);
      expect(moves.filter(({ move }) => move === 'handOver')).toHaveLength(10);
    },
    60_000,
  );

  it('should end early, and leave nothing unpublished, when the new author deletes the account', async () => {
    const [ada, next] = [await newAuthor(), await newAuthor()];
    await copiesOf(ada, BATCH + 50);
    const job = await jobOf(ada, next);
    const store = fixture.app.get(BlogStore);
    const updateMany = store.updateMany.bind(store);
    jest.spyOn(store, 'updateMany').mockImplementationOnce(async (...given) => {
      await next.client.delete('/profile/mine', { body: { password: PASSWORD } });
      return updateMany(...given);
    });
    await runAccountJobs(fixture);
    await runAccountJobs(fixture);
    expect(await jobNow(job)).toMatchObject({ state: 'done' });
    expect([(await blogsOf(ada)).length, await blogsOf(next)]).toEqual([50, []]);
  });

  it('should go to the end if an older version has stored a blog, and adopt its revisions', async () => {
    const [ada, next] = [await newAuthor(), await newAuthor()];
    const { _id } = await blogIn('live', ada, fixture.editor);
    const id = { _id: new Types.ObjectId(_id) };
    await fixture.db.collection('blogs').updateOne(id, { $unset: { revisions: 1, createdAt: 1 } });
    const job = await jobOf(ada, next);
    await runAccountJobs(fixture);
    expect(await jobNow(job)).toMatchObject({ state: 'done', count: 1 });
    expect(await storedBlog(fixture.db, _id)).toHaveProperty('revisions');
  });
});
