import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { removal } from '../../../../src/blog/history/event-stages.js';
import { RevisionStore } from '../../../../src/blog/revisions/store/revision-store.js';
import { RevisionSweep } from '../../../../src/blog/revisions/store/revision-sweep.service.js';
import { blogIn, type BlogInState } from '../../../support/factories.js';
import { startApp } from '../../../support/start-app.js';
import { relay } from '../../history/stored-events.js';
import { openBlogFixture, type BlogFixture } from '../../core/fixture.js';
import { contentCount, makeDue, namedCount, revisionsOf, sweep } from './kept-revisions.js';

describe('the sweep of revisions', () => {
  let fixture: BlogFixture;
  let blog: BlogInState;

  beforeAll(async () => {
    fixture = await openBlogFixture({ env: { REVISIONS_KEEP: '2' } });
  });

  beforeEach(async () => {
    await fixture.db.collection('blog_revisions').deleteMany({});
    blog = await blogIn('live in review', fixture.author, fixture.editor);
  });

  /** Stores contents as a transition does that then fails. */
  async function leave(id: string, count: number): Promise<void> {
    const store = fixture.app.get(RevisionStore);
    const snapshot = await store.read(new Types.ObjectId(id));
    if (!snapshot) throw new Error(`no blog ${id} is stored`);
    for (let n = 0; n < count; n++) await store.store(snapshot);
  }

  const waiting = () =>
    fixture.db.collection('blog_revisions').countDocuments({ sweepAt: { $exists: true } });

  it('should remove what no revision names, keep the rest, and then have nothing to do', async () => {
    const { app, db } = fixture;
    const revisions = await revisionsOf(fixture, blog._id);
    await leave(blog._id, 3);
    expect(await app.get(RevisionSweep).isDue()).toBe(false);
    await makeDue(db);
    expect(await app.get(RevisionSweep).isDue()).toBe(true);
    expect(await sweep(fixture)).toBe('contents without a revision removed: 3');
    expect([await contentCount(db, blog._id), await waiting()]).toEqual([2, 0]);
    expect(await revisionsOf(fixture, blog._id)).toEqual(revisions);
    expect(await app.get(RevisionSweep).isDue()).toBe(false);
    expect(await sweep(fixture)).toBeNull();
  });

  it('should leave what a transition that is under way may name', async () => {
    const { author, editor, db } = fixture;
    await makeDue(db);
    const other = await blogIn('draft', author, editor);
    await leave(other._id, 1);
    await leave(blog._id, 1);
    expect(await sweep(fixture)).toBeNull();
    expect([await contentCount(db, blog._id), await waiting()]).toEqual([3, 2]);
    expect(await contentCount(db, other._id)).toBe(1);
  });

  it('should remove with the next content what REVISIONS_KEEP has dropped', async () => {
    const { author, db } = fixture;
    await makeDue(db);
    await sweep(fixture);
    for (let n = 0; n < 3; n++) {
      await author.client.put(`/blog/author/withdraw/${blog._id}`);
      await author.client.put(`/blog/author/submit/${blog._id}`);
    }
    const revisions = await revisionsOf(fixture, blog._id);
    expect(revisions.map(({ move: transition, rev }) => [transition, rev])).toEqual([
      ['publish', 3],
      ['submit', 9],
      ['submit', 11],
    ]);
    expect(await contentCount(db, blog._id)).toBe(5);
    await makeDue(db);
    expect(await sweep(fixture)).toBe('contents without a revision removed: 2');
    expect(await contentCount(db, blog._id)).toBe(await namedCount(db, blog._id));
    expect(await revisionsOf(fixture, blog._id)).toEqual(revisions);
  });

  it.each([
    ['gone', (_id: Types.ObjectId) => fixture.db.collection('blogs').deleteOne({ _id })],
    [
      'a tombstone',
      (_id: Types.ObjectId) =>
        fixture.db
          .collection('blogs')
          .updateOne({ _id }, removal('delete', { by: _id, at: new Date() })),
    ],
  ])('should remove all contents of a blog that is %s', async (_label, remove) => {
    const { db } = fixture;
    await makeDue(db);
    await sweep(fixture);
    await leave(blog._id, 1);
    await remove(new Types.ObjectId(blog._id));
    await makeDue(db);
    await sweep(fixture);
    expect(await contentCount(db, blog._id)).toBe(0);
  });

  it('should not be needed for a removed blog whose contents were all kept: the outbox relay is', async () => {
    const { author, editor, db } = fixture;
    const other = await blogIn('live', author, editor);
    await makeDue(db);
    await sweep(fixture);
    const _id = new Types.ObjectId(blog._id);
    const update = removal('delete', { by: _id, at: new Date() });
    await db.collection('blogs').updateOne({ _id }, update);
    await relay(fixture);
    expect(await contentCount(db, blog._id)).toBe(0);
    expect(await contentCount(db, other._id)).toBe(1);
  });

  it('should decide on every content, be there many, in two processes at a time', async () => {
    const { author, editor, db } = fixture;
    const other = await startApp({ uri: fixture.uri });
    const blogs = [blog];
    for (let n = 0; n < 3; n++) blogs.push(await blogIn('in review', author, editor));
    const contents = db.collection('blog_revisions');
    const [content] = await contents.find().toArray();
    for (const { _id } of blogs) {
      const copies = Array.from({ length: 150 }, () => ({
        ...content,
        _id: new Types.ObjectId(),
        blog: new Types.ObjectId(_id),
      }));
      await contents.insertMany(copies);
    }
    await makeDue(db);
    await Promise.all([sweep(fixture), sweep(other)]);
    for (const { _id } of blogs) {
      expect(await contentCount(db, _id)).toBe(await namedCount(db, _id));
    }
    expect(await waiting()).toBe(0);
    await other.close();
  }, 60_000);

  it('should stop between its steps when it is told to', async () => {
    await leave(blog._id, 1);
    await makeDue(fixture.db);
    await fixture.app.get(RevisionSweep).run(AbortSignal.abort());
    expect(await contentCount(fixture.db, blog._id)).toBe(3);
  });
});
