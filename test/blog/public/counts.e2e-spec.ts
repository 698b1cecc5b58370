import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { OutboxRelay } from '../../../src/blog/history/outbox-relay.service.js';
import { ChangeFolding } from '../../../src/blog/public/counts/change-folding.service.js';
import type { Folding } from '../../../src/blog/public/counts/folding.schema.js';
import { countsMigration } from '../../../src/blog/public/counts/comparison/counts.migration.js';
import { ListComparison } from '../../../src/blog/public/counts/comparison/list-comparison.job.js';
import { ALL_BLOGS } from '../../../src/blog/public/counts/list-names.js';
import type { Client } from '../../support/client.js';
import { blogIn, PASSWORD, person, unique, type Person } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { startApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';

let fixture: BlogFixture;
/** The readers' and the editor's clients of another process. */
let secondClient: Client;
let secondEditor: Client;

beforeAll(async () => {
  fixture = await openBlogFixture();
  const { url } = await startApp({ uri: fixture.uri });
  secondClient = fixture.client.at(url);
  secondEditor = fixture.editor.client.at(url);
  // The last ADMIN cannot be deleted, so there is another one.
  await person(fixture, 'ADMIN');
});

const folding = (): ChangeFolding => fixture.app.get(ChangeFolding, { strict: false });
const fold = (): Promise<void> => folding().fold();

/** Makes the next bulk write, or the next write to the folding, fail, possibly after it was made. */
function killBeforeOrAfter(collection: 'lists' | 'blogs' | 'foldings', isWritten: boolean): void {
  const service = folding();
  const real = service[collection]() as unknown as Record<string, (...args: unknown[]) => unknown>;
  const method = collection === 'foldings' ? 'replaceOne' : 'bulkWrite';
  const killed = new Proxy(real, {
    get: (target, name) =>
      name === method
        ? async (...args: unknown[]) => {
            if (isWritten) await target[method]?.(...args);
            throw new Error('simulated kill');
          }
        : Reflect.get(target, name).bind(target),
  });
  const methods = service as unknown as Record<typeof collection, () => unknown>;
  jest.spyOn(methods, collection).mockReturnValue(killed);
}
const compare = (): Promise<string | null> =>
  fixture.app.get(ListComparison, { strict: false }).run(new AbortController().signal);
const publish = (id: string, client = fixture.editor.client) =>
  client.put(`/blog/editor/publish/id/${id}`);
const unpublish = (id: string, client = fixture.editor.client) =>
  client.put(`/blog/editor/unpublish/id/${id}`);

/** The number of an author's live blogs, of those with a tag, and of all, in every answer that has one. */
interface Counts {
  readonly all: number;
  readonly author: number;
  readonly page: number;
  readonly tag: number;
  readonly listed: number;
}

async function countsOf(
  author: Pick<Person, '_id'>,
  tag: string,
  client = fixture.client,
): Promise<Counts> {
  const totalOf = async (path: string): Promise<number> => {
    const { headers } = await client.get(`${path}?limit=1&total=true`);
    return Number(headers.get('x-total-count'));
  };
  const { status, body: page } = await client.get(`/authors/id/${author._id}`);
  const { body: tags } = await client.get(`/tags?prefix=${tag}`);
  return {
    all: await totalOf('/blogs/latest'),
    author: await totalOf(`/blogs/author/id/${author._id}`),
    page: status === 404 ? 0 : page.data.blogs,
    tag: await totalOf(`/blogs/tag/${tag}`),
    listed: tags.data[0]?.count ?? 0,
  };
}

/** The same numbers, counted in the database. */
async function storedCounts(author: Pick<Person, '_id'>, tag: string): Promise<Counts> {
  const count = (filter: object) =>
    fixture.db
      .collection('blogs')
      .countDocuments({ status: true, published: true, live: { $exists: true }, ...filter });
  const [all, ofAuthor, ofTag] = await Promise.all([
    count({}),
    count({ author: new Types.ObjectId(author._id) }),
    count({ 'live.tagKeys': tag }),
  ]);
  return { all, author: ofAuthor, page: ofAuthor, tag: ofTag, listed: ofTag };
}

async function expectRight(author: Pick<Person, '_id'>, tag: string): Promise<Counts> {
  const stored = await storedCounts(author, tag);
  expect(await countsOf(author, tag)).toEqual(stored);
  expect(await countsOf(author, tag, secondClient)).toEqual(stored);
  return stored;
}

describe('the counts of lists', () => {
  it('should follow every transition at once, in every process, before and after they are folded', async () => {
    const { author, other, editor } = fixture;
    const admin = await person(fixture, 'ADMIN');
    const tag = unique('tag');
    const { _id } = await blogIn('in review', author, editor, { tags: [tag] });
    const steps: readonly (() => Promise<{ readonly status: number }>)[] = [
      () => publish(_id),
      () => author.client.put(`/blog/author/id/${_id}`, { tags: ['another'] }),
      () => author.client.put(`/blog/author/submit/${_id}`),
      () => publish(_id),
      () => author.client.put(`/blog/author/id/${_id}`, { tags: [tag.toUpperCase()] }),
      () => author.client.put(`/blog/author/submit/${_id}`),
      () => publish(_id),
      () => admin.client.put(`/admin/blogs/id/${_id}/author`, { user: other._id }),
      () => unpublish(_id),
      () => other.client.put(`/blog/author/submit/${_id}`),
      () => publish(_id),
      () => other.client.delete(`/blog/author/id/${_id}`),
      () => other.client.delete(`/blog/author/trash/id/${_id}`),
    ];
    const counts: number[] = [];
    for (const step of steps) {
      expect((await step()).status).toBe(200);
      counts.push((await expectRight(author, tag)).tag);
      await expectRight(other, tag);
      if (counts.length % 3 === 0) await fold();
    }
    expect(counts).toEqual([1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0]);
    await fold();
    await expectRight(other, tag);
  });

  it('should stay when the account of the author is deleted', async () => {
    const tag = unique('tag');
    const author = await person(fixture, 'AUTHOR');
    await blogIn('live', author, fixture.editor, { tags: [tag] });
    await blogIn('draft', author, fixture.editor, { tags: [tag] });
    await author.client.delete('/profile/mine', { body: { password: PASSWORD } });
    const { headers } = await fixture.client.get(`/blogs/tag/${tag}?total=true`);
    expect(headers.get('x-total-count')).toBe('1');
  });

  it('should keep the change of a blog that is removed before it is folded', async () => {
    const tag = unique('tag');
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    await fold();
    await fixture.author.client.delete(`/blog/author/id/${_id}`);
    await fixture.author.client.delete(`/blog/author/trash/id/${_id}`);
    // The relay clears the tombstone, whose change must have been folded before.
    jest.spyOn(ChangeFolding.prototype, 'fold').mockResolvedValueOnce();
    const relay = fixture.app.get(OutboxRelay, { strict: false });
    await relay.run(new AbortController().signal);
    await expectRight(fixture.author, tag);
    await relay.run(new AbortController().signal);
    await expectRight(fixture.author, tag);
    const left = await fixture.db.collection('blogs').findOne({ _id: new Types.ObjectId(_id) });
    expect(left).toBeNull();
  });

  it('should be right while two processes make transitions and a third folds their changes', async () => {
    const { author, editor } = fixture;
    const tag = unique('tag');
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const state = count < 4 ? 'live' : 'in review';
      ids.push((await blogIn(state, author, editor, { tags: [tag] }))._id);
    }
    let isOver = false;
    const folding = (async () => {
      while (!isOver) await fold();
    })();
    const moves = ids.map(async (id, index) => {
      const client = index % 2 === 0 ? editor.client : secondEditor;
      for (let round = 0; round < 3; round += 1) {
        if (index >= 4) expect((await publish(id, client)).status).toBe(200);
        expect((await unpublish(id, client)).status).toBe(200);
        expect((await author.client.put(`/blog/author/submit/${id}`)).status).toBe(200);
        if (index < 4) expect((await publish(id, client)).status).toBe(200);
      }
    });
    await Promise.all(moves);
    await expectRight(author, tag);
    isOver = true;
    await folding;
    expect(await expectRight(author, tag)).toMatchObject({ tag: 4 });
  });

  it.each(['lists', 'blogs', 'foldings'] as const)(
    'should be right if a process is killed before or after it writes to %s, and another goes on',
    async (collection) => {
      const tag = unique('tag');
      await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
      for (const isWritten of [false, true]) {
        const { _id } = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
        killBeforeOrAfter(collection, isWritten);
        await expect(fold()).rejects.toThrow('simulated kill');
        jest.restoreAllMocks();
        await expectRight(fixture.author, tag);
        await unpublish(_id);
        await expectRight(fixture.author, tag);
        await fold();
        await expectRight(fixture.author, tag);
      }
    },
  );

  it('should be right if a process that was suspended repeats its last steps', async () => {
    const tag = unique('tag');
    await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    await fold();
    const last = await fixture.db.collection('foldings').findOne({});
    await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    await fold();
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    await folding()['finish'](last as unknown as Folding);
    await expectRight(fixture.author, tag);
    await unpublish(_id);
    await Promise.all([fold(), fold(), fold()]);
    await expectRight(fixture.author, tag);
  });

  it('should be right on a standalone, whose changes are folded one by one', async () => {
    const mongod = await OwnMongo.createStandalone();
    const { app, author, editor, client } = await openBlogFixture({ uri: mongod.uri('counts') });
    const tag = unique('tag');
    const { _id } = await blogIn('live', author, editor, { tags: [tag] });
    await blogIn('live', author, editor, { tags: [tag] });
    expect(await countsOf(author, tag, client)).toMatchObject({ all: 2, tag: 2, listed: 2 });
    await app.get(ChangeFolding, { strict: false }).fold();
    expect((await unpublish(_id, editor.client)).status).toBe(200);
    expect(await countsOf(author, tag, client)).toMatchObject({ all: 1, page: 1, listed: 1 });
  });
});

describe('counts that no transition has changed', () => {
  it('should be corrected when an operator hides a blog', async () => {
    const tag = unique('tag');
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
    await expectRight(fixture.author, tag);
    await fixture.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(_id) }, { $set: { published: false } });
    await until('the correction', async () => {
      const { all, tag: left } = await countsOf(fixture.author, tag);
      const stored = await storedCounts(fixture.author, tag);
      return left === 0 && all === stored.all;
    });
  });

  it('should be corrected by the comparison, whatever has changed them', async () => {
    const { db, author } = fixture;
    const tag = unique('tag');
    const { _id } = await blogIn('live', author, fixture.editor, { tags: [tag] });
    await blogIn('live', author, fixture.editor, { tags: [tag] });
    await fold();
    await db.collection('blogs').deleteOne({ _id: new Types.ObjectId(_id) });
    const list = { _id: 'tag:never used' as unknown as Types.ObjectId };
    await db.collection('lists').insertOne({ ...list, tag: 'never used', count: 3 });
    await blogIn('live', author, fixture.editor, { tags: [tag] });
    expect(await compare()).toBe('counts corrected: 4');
    fixture.invalidateCaches();
    expect(await countsOf(author, tag)).toEqual(await storedCounts(author, tag));
    expect(await db.collection('lists').findOne(list)).toMatchObject({ count: 0 });
    expect(await compare()).toBeNull();
  });

  it('should stay when the changes that are not folded are more than one reply of the database holds', async () => {
    const { db, author } = fixture;
    const blogs = db.collection('blogs');
    const names = Array.from(
      { length: 3_000 },
      (_, number) => `+tag:${number}${'x'.repeat(2_000)}`,
    );
    const lists = [`+${ALL_BLOGS}`, `-${ALL_BLOGS}`, ...names];
    const fillers = [1, 2, 3].map((rev) => ({
      removed: true,
      publicChanges: [{ rev, at: new Date(), lists }],
    }));
    const { insertedIds } = await blogs.insertMany(fillers);
    await blogIn('live', author, fixture.editor);
    expect(await compare()).toBeNull();
    await blogs.deleteMany({ _id: { $in: Object.values(insertedIds) } });
  });

  it('should be filled in by the migration, with the times that an earlier version stored', async () => {
    const { db, author } = fixture;
    const tag = unique('tag');
    await blogIn('live', author, fixture.editor, { tags: [tag] });
    await fold();
    await blogIn('live', author, fixture.editor, { tags: [tag] });
    const at = new Date(Date.now() - 1_000);
    await db.collection('lists').deleteMany({});
    await db
      .collection<{ _id: string; at: Date }>('list_changes')
      .insertMany([`tag-${tag}`, 'blogs', `author-list-${author._id}`].map((_id) => ({ _id, at })));
    await countsMigration.run(db, { dryRun: true });
    expect(await db.collection('lists').countDocuments()).toBe(0);
    await countsMigration.run(db, { dryRun: false });
    fixture.invalidateCaches();
    expect(await countsOf(author, tag)).toEqual(await storedCounts(author, tag));
    const lists = db.collection<{ _id: string; changedAt?: Date }>('lists');
    expect((await lists.findOne({ _id: `tag:${tag}` }))?.changedAt).toEqual(at);
    const stored = await lists.find().sort({ _id: 1 }).toArray();
    await countsMigration.run(db, { dryRun: false });
    expect(await lists.find().sort({ _id: 1 }).toArray()).toEqual(stored);
  });
});
