import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Types } from 'mongoose';
import { OutboxRelay } from '../../../../src/blog/history/outbox-relay.service.js';
import { TagCounts } from '../../../../src/blog/public/tags/counts/tag-counts.service.js';
import { tagMigration } from '../../../../src/blog/public/tags/counts/tag.migration.js';
import { openBlogFixture, type BlogFixture } from '../../core/fixture.js';
import { OwnMongo } from '../../../support/mongo/own-mongo.js';
import { blogIn, PASSWORD, person, unique } from '../../../support/factories.js';
import { startApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
  await person(fixture, 'ADMIN');
});

afterEach(() => {
  jest.restoreAllMocks();
});

const publish = (id: string) => fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);

/** What readers are told of a tag. */
async function told(tag: string, client = fixture.client): Promise<[string, number] | null> {
  const { body } = await client.get(`/tags?limit=100&prefix=${encodeURIComponent(tag)}`);
  const item = body.data.find((each: { tag: string }) => each.tag.toLowerCase() === tag);
  return item ? [item.tag, item.count] : null;
}

describe('the count of a tag', () => {
  it('should follow every transition at once, and be gone with the last blog', async () => {
    const { author, editor } = fixture;
    const tag = unique('tag');
    const other = unique('other');
    const { _id } = await blogIn('in review', author, editor, { tags: [tag.toUpperCase()] });
    expect(await told(tag)).toBeNull();
    await publish(_id);
    expect(await told(tag)).toEqual([tag.toUpperCase(), 1]);
    await blogIn('live', author, editor, { tags: [tag] });
    expect(await told(tag)).toEqual([tag, 2]);
    await author.client.put(`/blog/author/id/${_id}`, { tags: [other] });
    expect([await told(tag), await told(other)]).toEqual([[tag, 2], null]);
    await author.client.put(`/blog/author/submit/${_id}`);
    await publish(_id);
    expect([await told(tag), await told(other)]).toEqual([
      [tag, 1],
      [other, 1],
    ]);
    await unpublish(_id);
    expect([await told(tag), await told(other)]).toEqual([[tag, 1], null]);
  });

  it('should follow a deletion, and stay when the account of an author goes', async () => {
    const { editor } = fixture;
    const tag = unique('tag');
    const author = await person(fixture, 'AUTHOR');
    const { _id } = await blogIn('live', author, editor, { tags: [tag] });
    await blogIn('live', author, editor, { tags: [tag] });
    await author.client.delete(`/blog/author/id/${_id}`);
    expect(await told(tag)).toEqual([tag, 1]);
    const gone = await author.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect(gone.status).toBe(200);
    expect(await told(tag)).toEqual([tag, 1]);
  });

  it('should be right after many transitions at the same time', async () => {
    const { author, editor } = fixture;
    const tag = unique('tag');
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const state = count < 6 ? 'live' : 'in review';
      ids.push((await blogIn(state, author, editor, { tags: [tag] }))._id);
    }
    const answers = await Promise.all(
      ids.map((id, index) => (index < 6 ? unpublish(id) : publish(id))),
    );
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(await told(tag)).toEqual([tag, 6]);
    await Promise.all(ids.slice(6).map(unpublish));
    expect(await told(tag)).toBeNull();
  });

  it('should not be that of a transition which one of another process has overtaken', async () => {
    const { author, editor, uri } = fixture;
    const other = editor.client.at((await startApp({ uri })).url);
    const tag = unique('tag');
    const first = await blogIn('live', author, editor, { tags: [tag] });
    const second = await blogIn('in review', author, editor, { tags: [tag] });
    const counts = TagCounts.prototype as unknown as { store: (...args: unknown[]) => unknown };
    const { store } = counts;
    // The first blog is taken down after the second was counted, and before that count is stored.
    jest.spyOn(counts, 'store').mockImplementationOnce(async function (this: unknown, ...args) {
      const { status } = await other.put(`/blog/editor/unpublish/id/${first._id}`);
      expect(status).toBe(200);
      return store.apply(this, args);
    });
    expect((await publish(second._id)).status).toBe(200);
    expect(await told(tag)).toEqual([tag, 1]);
  });

  it('should not be that of a transition which one of another process has evened out', async () => {
    const { author, editor, uri } = fixture;
    const other = editor.client.at((await startApp({ uri })).url);
    const tag = unique('tag');
    const first = await blogIn('live', author, editor, { tags: [tag] });
    const second = await blogIn('live', author, editor, { tags: [tag] });
    await blogIn('live', author, editor, { tags: [tag] });
    await unpublish(second._id);
    await author.client.put(`/blog/author/submit/${second._id}`);
    const counts = TagCounts.prototype as unknown as { store: (...args: unknown[]) => unknown };
    const { store } = counts;
    // The second blog is published after one was counted, and before that is stored: two are live, as before.
    jest.spyOn(counts, 'store').mockImplementationOnce(async function (this: unknown, ...args) {
      const { status } = await other.put(`/blog/editor/publish/id/${second._id}`);
      expect(status).toBe(200);
      return store.apply(this, args);
    });
    expect((await unpublish(first._id)).status).toBe(200);
    expect(await told(tag)).toEqual([tag, 2]);
  });

  it('should be right on a standalone as well, by two processes', async () => {
    const uri = (await OwnMongo.createStandalone()).uri('tags');
    const standalone = await openBlogFixture({ uri });
    const { author, editor, client } = standalone;
    const other = editor.client.at((await startApp({ uri })).url);
    const tag = unique('tag');
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const state = count < 3 ? 'live' : 'in review';
      ids.push((await blogIn(state, author, editor, { tags: [tag] }))._id);
    }
    const answers = await Promise.all(
      ids.map((id, index) => {
        const by = index % 2 === 0 ? other : editor.client;
        return by.put(`/blog/editor/${index < 2 ? 'unpublish' : 'publish'}/id/${id}`);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 200]);
    expect(await told(tag, client)).toEqual([tag, 4]);
    await standalone.close();
  });

  it('should be mended by the outbox relay when the process of a transition ended before it', async () => {
    const { author, editor, app } = fixture;
    const tag = unique('tag');
    const { _id } = await blogIn('live', author, editor, { tags: [tag] });
    expect(await told(tag)).toEqual([tag, 1]);
    const counts = app.get(TagCounts, { strict: false });
    jest.spyOn(counts, 'refresh').mockRejectedValueOnce(new Error('the process has ended'));
    expect((await unpublish(_id)).status).toBe(500);
    const relay = app.get(OutboxRelay, { strict: false });
    await relay.run(new AbortController().signal);
    expect(await told(tag)).toBeNull();
  });

  it('should be the same in another process within a second', async () => {
    const { author, editor, uri } = fixture;
    const second = await startApp({ uri });
    const tag = unique('tag');
    const { _id } = await blogIn('live', author, editor, { tags: [tag] });
    await until('the tag', async () => (await told(tag, second.client)) !== null);
    await unpublish(_id);
    const deadline = performance.now() + 1_000;
    await until('its end', async () => (await told(tag, second.client)) === null);
    expect(performance.now()).toBeLessThan(deadline);
  });

  it('should be filled in by the migration of an existing database', async () => {
    const { author, editor, db } = fixture;
    const tag = unique('tag');
    await blogIn('live', author, editor, { tags: [tag] });
    const before = await db.collection('tags').find().sort({ _id: 1 }).toArray();
    await db.collection<{ _id: string }>('tags').deleteMany({});
    await db.collection('tags').insertOne({
      _id: 'gone' as unknown as Types.ObjectId,
      key: 'gone',
      tag: 'gone',
      count: 3,
      publishedAt: new Date(),
      asOf: 0n,
    });
    await tagMigration.run(db, { dryRun: true });
    expect(await db.collection('tags').countDocuments()).toBe(1);
    await tagMigration.run(db, { dryRun: false });
    const used = (tags: typeof before) =>
      tags.filter(({ count }) => count > 0).map(({ asOf: _, ...rest }) => rest);
    const after = await db.collection('tags').find().sort({ _id: 1 }).toArray();
    expect(used(after)).toEqual(used(before));
    await tagMigration.run(db, { dryRun: false });
    expect(await db.collection('tags').find().sort({ _id: 1 }).toArray()).toEqual(after);
  });
});
