import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { USER, USER_NAME } from '../../../src/user/schemas/user.cache.js';
import { Cache } from '../../../src/platform/caching/cache.js';
import { CacheSubject } from '../../../src/platform/caching/cache-subject.js';
import { CacheCoherenceService } from '../../../src/platform/caching/cache-coherence.service.js';
import { BLOG_READS } from '../../routes/reads.js';
import { blogIn } from '../../support/factories.js';
import { until } from '../../support/time/wait.js';
import { keepLease, untilServing } from './support/barriers.js';
import { openFixture, type Fixture } from './support/fixture.js';

interface Edit {
  readonly collection: string;
  readonly update: mongo.UpdateFilter<mongo.Document> | mongo.Document[];
}

const blogs = (update: Edit['update']): Edit => ({ collection: 'blogs', update });
const keys = (update: Edit['update']): Edit => ({ collection: 'api_keys', update });
const media = (update: Edit['update']): Edit => ({ collection: 'media', update });
const roles = (update: Edit['update']): Edit => ({ collection: 'roles', update });

/** So long that MongoDB reports a shortened list as truncated, instead of the whole new list. */
const LIST = ['a'.repeat(100), 'b'.repeat(100)];

/** Fields of every record of the test. */
const RECORD = {
  list: LIST,
  live: { title: 'A', tags: LIST },
  livelier: 1,
  count: 0,
  events: [{ rev: 1 }, { rev: 2 }],
};

const CHANGES_CACHED_VALUES: Readonly<Record<string, Edit>> = {
  'a field of the live version': blogs({ $set: { 'live.title': 'B' } }),
  'the live version': blogs({ $set: { live: { title: 'B' } } }),
  'the removal of the live version': blogs({ $unset: { live: 1 } }),
  'fewer tags': blogs([{ $set: { 'live.tags': { $slice: ['$live.tags', 1] } } }]),
  'a score': blogs({ $set: { score: 1 } }),
  'the text that readers see, and a field of the working copy': blogs({
    $set: { draftText: 'b', text: 'b' },
  }),
  'a status': blogs({ $set: { status: false } }),
  'the flag of an older server': blogs({ $set: { published: false } }),
  'another author': blogs({ $set: { author: new Types.ObjectId() } }),
  'another policy of cleaning': blogs({ $set: { htmlVersion: 0 } }),
  'a user': { collection: 'users', update: { $set: { count: 1 } } },
  'a session': { collection: 'sessions', update: { $set: { count: 1 } } },
  'a key that is disabled': keys({ $set: { status: 0, updatedAt: new Date() } }),
  'the bytes of a picture': media({ $set: { file: new Types.ObjectId() } }),
  'the code of a role': roles({ $set: { code: 'CURATOR' } }),
};

const CHANGES_NOTHING_CACHED: Readonly<Record<string, Edit>> = {
  'the working copy': blogs({ $set: { draftText: 'b', title: 'b', submitted: true, rev: 2 } }),
  'a field whose name only begins like "live"': blogs({ $set: { livelier: 2 } }),
  'a shorter list that readers do not see': blogs([{ $set: { list: { $slice: ['$list', 1] } } }]),
  'the events of a blog': blogs({ $push: { events: { rev: 1 } as never } }),
  'events that the relay has stored': blogs({ $pull: { events: { rev: { $in: [1] } } as never } }),
  'the last use of a key': keys({ $set: { lastUsedAt: new Date(), updatedAt: new Date() } }),
  'what is said of a picture': media({ $set: { alt: 'b', checkAt: new Date() } }),
  'the counter of a role': roles({ $inc: { guard: 1 } }),
};

describe('what the change stream reports', () => {
  let server: Fixture;
  let reported: { collection: string; id: string }[];

  beforeAll(async () => {
    server = await openFixture();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Collects what is reported from now on. */
  async function listen(): Promise<void> {
    await untilServing(server.app);
    reported = [];
    const coherence = server.app.get(CacheCoherenceService);
    const changed = coherence.changed.bind(coherence);
    jest.spyOn(coherence, 'changed').mockImplementation((event, time) => {
      if (event) reported.push(event);
      changed(event, time);
    });
    // Drops the reports of what the test has set up.
    await untilAllReported();
    reported = [];
  }

  /** Inserts a last record and waits for its report. The stream keeps the order, so no earlier change will follow. */
  async function untilAllReported(): Promise<void> {
    const last = (await insert('users')).toHexString();
    await until('the last change', () => reported.some(({ id }) => id === last));
    reported = reported.filter(({ id }) => id !== last);
  }

  async function insert(collection: string, fields: object = {}): Promise<Types.ObjectId> {
    const _id = new Types.ObjectId();
    const unique = _id.toHexString();
    const own = { code: unique, email: unique, key: unique, keyHash: unique, slugs: [unique] };
    await server.db.collection(collection).insertOne({ _id, ...RECORD, ...own, ...fields });
    return _id;
  }

  async function reportOf({ collection, update }: Edit): Promise<typeof reported> {
    const _id = await insert(collection);
    await listen();
    await server.db.collection(collection).updateOne({ _id }, update);
    await untilAllReported();
    return reported.map((event) => ({ ...event, isOwn: event.id === _id.toHexString() }));
  }

  it.each(Object.entries(CHANGES_CACHED_VALUES))('should include %s', async (_, edit) => {
    expect(await reportOf(edit)).toEqual([
      expect.objectContaining({ collection: edit.collection, operation: 'update', isOwn: true }),
    ]);
  });

  it.each(Object.entries(CHANGES_NOTHING_CACHED))('should leave out %s', async (_, edit) => {
    expect(await reportOf(edit)).toEqual([]);
  });

  it.each(BLOG_READS.filter(({ isList }) => !isList))(
    'should include a change of the author, whom $route then shows',
    async ({ pathTo }) => {
      const blog = await blogIn('live', server.author, server.editor);
      const path = pathTo({ ...blog, author: server.author, similarBlog: blog });
      const nameOfAuthor = async (): Promise<string> =>
        (await server.client.get(path)).body.data.author.name;
      // All earlier writes have been reported by then, so only the edit below can invalidate the answer.
      await listen();
      keepLease(server.app);
      expect(await nameOfAuthor()).toBe(server.author.name);
      const author = new Types.ObjectId(server.editor._id);
      await server.db
        .collection('blogs')
        .updateOne({ _id: new Types.ObjectId(blog._id) }, { $set: { author } });
      await until('the new author', async () => (await nameOfAuthor()) === server.editor.name);
    },
  );

  it('should include a disabled role, which everybody then loses', async () => {
    const statusOfList = async (): Promise<number> =>
      (await server.author.client.get('/blog/author/drafts')).status;
    await listen();
    keepLease(server.app);
    expect(await statusOfList()).toBe(200);
    const roleRecords = server.db.collection('roles');
    await roleRecords.updateOne({ code: 'AUTHOR' }, { $set: { status: false } });
    await until('a refusal', async () => (await statusOfList()) === 403);
    await roleRecords.updateOne({ code: 'AUTHOR' }, { $set: { status: true } });
    await until('the role', async () => (await statusOfList()) === 200);
  });

  it.each([
    ['include', 'blogs', { live: { title: 'A' } }],
    ['leave out', 'blogs', { live: null }],
    ['leave out', 'sessions', {}],
    ['leave out', 'media', {}],
    ['include', 'users', {}],
  ])('should %s a new record of %s with %o', async (expected, collection, fields) => {
    await listen();
    const _id = await insert(collection, fields);
    await untilAllReported();
    expect(reported.map(({ id }) => id)).toEqual(expected === 'include' ? [_id.toHexString()] : []);
  });

  it.each(['blogs', 'media', 'users', 'sessions', 'api_keys', 'roles'])(
    'should include the replacement and the deletion of a record of %s',
    async (collection) => {
      const _id = await insert(collection);
      const id = _id.toHexString();
      await listen();
      await server.db
        .collection(collection)
        .replaceOne({ _id }, { code: id, slugs: [id], key: id });
      await server.db.collection(collection).deleteOne({ _id });
      await untilAllReported();
      expect(reported).toEqual([
        expect.objectContaining({ collection, operation: 'replace', id }),
        expect.objectContaining({ collection, operation: 'delete', id }),
      ]);
    },
  );

  const cacheOf = (...dependsOn: CacheSubject[]): Cache<{ readonly name: string }> =>
    new Cache(server.app.get(CacheCoherenceService), {
      name: 'test',
      dependsOn,
      bounds: { max: 10 },
    });

  it('should not change once the stream is open, so that a cache of a new subject is refused', () => {
    const subject = new CacheSubject('page', { name: 'pages', reported: {} });
    expect(() => cacheOf(subject)).toThrow('"page" is cached too late');
  });

  it('should cover every subject that a stored value depends on: a cache refuses values of other subjects', () => {
    const cache = cacheOf(USER);
    const id = new Types.ObjectId().toHexString();
    const store = (dependsOn: CacheSubject): void =>
      cache.store(id, { value: { name: 'A' }, dependsOn: [dependsOn.record(id)] }, cache.begin());
    expect(() => store(USER_NAME)).toThrow('does not depend on the subject "user name"');
    store(USER);
    expect(cache.peek(id)).toEqual({ name: 'A' });
  });

  it('should cover every cached collection, each once', () => {
    const names = server.app.get(CacheCoherenceService).collections.map(({ name }) => name);
    const cached = [
      'access_tokens',
      'api_keys',
      'blogs',
      'lists',
      'media',
      'roles',
      'sessions',
      'users',
    ];
    expect(names.toSorted()).toEqual(cached);
  });
});
