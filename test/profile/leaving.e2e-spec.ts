import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { getModelToken } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import { SessionService } from '../../src/auth/session/session.service.js';
import { MigrationService } from '../../src/platform/database/migrations/migration.service.js';
import { SetupService } from '../../src/cli/setup/setup.service.js';
import { storedBlog } from '../blog/core/fixture.js';
import { blogBody, blogIn, PASSWORD, person, type Person } from '../support/factories.js';
import { killAccountJob, runAccountJobs } from '../blog/handover/account-jobs.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { runs } from '../support/scale.js';
import { until } from '../support/time/wait.js';

const ROUNDS = runs({ short: 3, long: 8 });
const CONCURRENCY = 8;
/** For a test that takes long, because each of its rounds hashes a password. */
const TIMEOUT_MS = 120_000;

describe('the blogs of a deleted account', () => {
  let server: TestApp;
  let editor: Person;
  let otherAuthor: Person;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp();
    // With no admin in the database, every deletion would be refused.
    editor = await person(server, 'EDITOR', 'ADMIN');
    otherAuthor = await person(server, 'AUTHOR');
  });

  beforeEach(async () => {
    ada = await person(server, 'AUTHOR');
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Deletes the account, and does the rest of the deletion. */
  const deleteAccount = async ({ client }: Person) => {
    const answer = await client.delete('/profile/mine', { body: { password: PASSWORD } });
    await runAccountJobs(server);
    return answer;
  };
  const create = ({ client }: Person) => client.post<{ _id: string }>('/blog/author', blogBody());
  const edit = ({ client }: Person, id: string) =>
    client.put(`/blog/author/id/${id}`, { title: 'A pending title' });
  const unpublish = (id: string) => editor.client.put(`/blog/editor/unpublish/id/${id}`);
  const blogsOf = ({ _id }: Person) =>
    server.db
      .collection('blogs')
      .find({ author: new Types.ObjectId(_id) })
      .toArray();

  interface HeldCall {
    untilReached(): Promise<unknown>;
    release(): void;
  }

  /** Holds the next call of a method before it begins. */
  function hold<Name extends string>(
    service: Readonly<Record<Name, unknown>>,
    method: Name,
  ): HeldCall {
    const spied = service as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const call = spied[method]?.bind(service);
    let isReached = false;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const spy = jest.spyOn(spied, method).mockImplementation(async (...given) => {
      spy.mockRestore();
      isReached = true;
      await released;
      return call?.(...given);
    });
    return { untilReached: () => until(`the held ${method}`, () => isReached), release };
  }

  /** The collection of the blogs in the driver. While a call of one of its methods is held, MongoDB gets no command. */
  const driverCollection = () => server.app.get<Model<object>>(getModelToken('Blog')).collection;

  it('should be deleted once an editor unpublishes them, and free the slug', async () => {
    const { _id, body } = await blogIn('live with draft', ada, editor);
    await deleteAccount(ada);
    const answer = await unpublish(_id);
    expect(answer.body).toMatchObject({
      status: 200,
      message: 'blog unpublished successfully',
      data: { _id, title: body.title, published: false, author: { name: 'Former author' } },
    });
    expect(await blogsOf(ada)).toEqual([]);
    expect((await server.client.get(`/blog/id/${_id}`)).status).toBe(404);
    expect((await unpublish(_id)).status).toBe(404);
    const next = await otherAuthor.client.post('/blog/author', blogBody({ slug: body.slug }));
    expect(next.body.data.slug).toBe(body.slug);
  });

  it('should not include a blog that was deleted while it was live', async () => {
    const { _id } = await blogIn('live', ada, editor);
    const $set = { status: false };
    await server.db.collection('blogs').updateOne({ _id: new Types.ObjectId(_id) }, { $set });
    await deleteAccount(ada);
    expect(await blogsOf(ada)).toEqual([]);
  });

  describe('when its author sends concurrent requests', () => {
    it('should not include a blog that is stored after the deletion', async () => {
      const heldCall = hold(driverCollection(), 'insertOne');
      const creating = create(ada);
      await heldCall.untilReached();
      expect((await deleteAccount(ada)).status).toBe(200);
      heldCall.release();
      const { status, body } = await creating;
      expect([status, body.code]).toEqual([401, '10003']);
      expect(await blogsOf(ada)).toEqual([]);
    });

    it('should not include a blog that is stored during the transaction of the deletion', async () => {
      const heldCall = hold(server.app.get(SessionService), 'endAll');
      const deletion = deleteAccount(ada);
      await heldCall.untilReached();
      expect((await create(ada)).status).toBe(200);
      heldCall.release();
      expect((await deletion).status).toBe(200);
      expect(await blogsOf(ada)).toEqual([]);
    });

    it('should not include an edit that is made after the deletion', async () => {
      const { _id, body } = await blogIn('live with draft', ada, editor);
      const heldCall = hold(driverCollection(), 'findOneAndUpdate');
      const editing = edit(ada, _id);
      await heldCall.untilReached();
      expect((await deleteAccount(ada)).status).toBe(200);
      const before = await storedBlog(server.db, _id);
      heldCall.release();
      expect((await editing).status).toBe(404);
      expect(await storedBlog(server.db, _id)).toEqual(before);
      expect(before).toMatchObject({ title: body.title, drafted: false, authorLeft: true });
    });

    it.each(['submit', 'delete'] as const)(
      'should not be changed by a request to %s after the deletion',
      async (transition) => {
        // In this state a submission, which reads the blog first, gets as far as its write.
        const { _id } = await blogIn('live with draft', ada, editor);
        const heldCall = hold(driverCollection(), 'findOneAndUpdate');
        const requesting =
          transition === 'delete'
            ? ada.client.delete(`/blog/author/id/${_id}`)
            : ada.client.put(`/blog/author/submit/${_id}`);
        await heldCall.untilReached();
        await deleteAccount(ada);
        const before = await storedBlog(server.db, _id);
        heldCall.release();
        expect((await requesting).status).toBe(404);
        expect(await storedBlog(server.db, _id)).toEqual(before);
      },
    );

    it(
      'should be only the live blog without its pending edits, in any order of the requests',
      async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const author = await person(server, 'AUTHOR');
          const live = await blogIn('live', author, editor);
          const createsAndEdits = (count: number) =>
            Array.from({ length: count }, (_, n) =>
              n % 2 ? create(author) : edit(author, live._id),
            );
          const early = createsAndEdits(CONCURRENCY);
          const deletion = deleteAccount(author);
          const answers = await Promise.all([...early, ...createsAndEdits(CONCURRENCY)]);
          expect((await deletion).status).toBe(200);
          for (const { status } of answers) expect([200, 401, 404]).toContain(status);
          const remaining = await blogsOf(author);
          expect(remaining.map(({ _id }) => String(_id))).toEqual([live._id]);
          const { title } = live.body;
          expect(remaining[0]).toMatchObject({ title, drafted: false, authorLeft: true });
        }
      },
      TIMEOUT_MS,
    );
  });

  describe('when a process ends before the clean-up', () => {
    const start = async () => {
      await server.app.get(SetupService).prepare();
      await runAccountJobs(server);
    };

    it('should be removed if the process was creating a blog', async () => {
      const { _id } = await blogIn('draft', otherAuthor, editor);
      await deleteAccount(ada);
      const { _id: __, ...draft } = await storedBlog(server.db, _id);
      const author = new Types.ObjectId(ada._id);
      await server.db.collection('blogs').insertOne({ ...draft, author, slugs: [ada._id] });
      await start();
      expect(await blogsOf(ada)).toEqual([]);
      expect(await storedBlog(server.db, _id)).toMatchObject({ slugs: draft['slugs'] });
    });

    it('should be kept if the deletion was refused', async () => {
      await blogIn('draft', ada, editor);
      await server.db
        .collection<{ _id: Types.ObjectId }>('deleted_accounts')
        .insertOne({ _id: new Types.ObjectId(ada._id), deletedAt: new Date() } as never);
      await start();
      expect(await blogsOf(ada)).toHaveLength(1);
    });

    it('should leave the record of the deletion in place until an hour has passed', async () => {
      await deleteAccount(ada);
      const accounts = server.db.collection('deleted_accounts');
      const own = { _id: new Types.ObjectId(ada._id) };
      await start();
      expect(Object.keys((await accounts.findOne(own)) ?? {})).toEqual(['_id', 'deletedAt']);
      await accounts.updateOne(own, { $set: { deletedAt: new Date(Date.now() - 3_700_000) } });
      await start();
      expect(await accounts.findOne(own)).toBeNull();
    });
  });

  it.each([
    ['trash/former-author.service.js', 'FormerAuthorService', 'mark'],
    ['trash/blog-purge.service.js', 'BlogPurgeService', 'remove'],
    ['trash/blog-purge.service.js', 'BlogPurgeService', 'removeUnpublished'],
  ])(
    'should be cleaned up although a process was killed after a step: %s, %s.%s',
    async (file, name, step) => {
      for (let count = 0; count < 4; count += 1) await create(ada);
      const { _id } = await blogIn('live with draft', ada, editor);
      await ada.client.delete('/profile/mine', { body: { password: PASSWORD } });
      await killAccountJob(server, 'half', file, [name, step]);
      await runAccountJobs(server);
      const live = { published: true, drafted: false, status: true };
      const left = (await blogsOf(ada)).filter(({ removed }) => !removed);
      expect(left).toMatchObject([{ _id: new Types.ObjectId(_id), ...live }]);
      expect(left[0]).not.toHaveProperty('purging');
    },
    60_000,
  );

  it('should be marked by a migration if an earlier version has not marked them', async () => {
    const { _id } = await blogIn('live', ada, editor);
    const otherBlog = await blogIn('live', otherAuthor, editor);
    await deleteAccount(ada);
    const blogs = server.db.collection('blogs');
    await blogs.updateOne({ _id: new Types.ObjectId(_id) }, { $unset: { authorLeft: 1 } });
    const { updatedAt } = await storedBlog(server.db, _id);
    const migrations = server.app.get(MigrationService);
    const dryRunReport = await migrations.run({ dryRun: true });
    expect(dryRunReport.changed).toContain("1 blog: marked, the author's account is gone");
    expect(await migrations.run({ dryRun: false })).toEqual(dryRunReport);
    expect(await storedBlog(server.db, _id)).toMatchObject({ authorLeft: true, updatedAt });
    expect(await storedBlog(server.db, otherBlog._id)).not.toHaveProperty('authorLeft');
    expect((await migrations.run({ dryRun: false })).changed).toEqual([]);
    expect((await unpublish(_id)).status).toBe(200);
    expect(await blogsOf(ada)).toEqual([]);
  });
});
