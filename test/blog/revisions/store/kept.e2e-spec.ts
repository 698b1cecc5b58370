import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogTransitionService } from '../../../../src/blog/core/transitions/blog-transition.service.js';
import { removal } from '../../../../src/blog/history/event-stages.js';
import { RevisionStore } from '../../../../src/blog/revisions/store/revision-store.js';
import { RevisionSweep } from '../../../../src/blog/revisions/store/revision-sweep.service.js';
import { StaleRevisionError } from '../../../../src/platform/http/errors/api.errors.js';
import { CommandRecorder } from '../../../support/checks/command-recorder.js';
import { MINUTE } from '../../../support/time/clock.js';
import { blogIn, type BlogInState, type State } from '../../../support/factories.js';
import { startApp } from '../../../support/start-app.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';
import { makeTransition, personFor, TRANSITION_CASES } from '../../core/transition-table.js';
import { relay } from '../../history/stored-events.js';
import {
  contentCount,
  fieldsOf,
  makeDue,
  namedCount,
  revisionsOf,
  sweep,
} from './kept-revisions.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture({ env: { REVISIONS_KEEP: '2' } });
});

describe('a blog of an older version that kept no revisions', () => {
  const ALLOWED_CASES = TRANSITION_CASES.filter(({ to }) => to !== undefined && to !== 'deleted');

  /** Creates a blog without the fields and contents that this version stores for revisions. */
  async function oldBlog(state: State) {
    const { author, editor, db } = fixture;
    const blog = await blogIn(state, author, editor);
    const _id = new Types.ObjectId(blog._id);
    const $unset = { revisions: 1, submittedAt: 1, submitters: 1, liveSubmitters: 1 };
    await db.collection('blogs').updateOne({ _id }, { $unset });
    await db.collection('blog_revisions').deleteMany({ blog: _id });
    return { ...blog, before: await storedBlog(db, blog._id) };
  }

  it.each(ALLOWED_CASES)(
    'should get its live and submitted revisions before $transition from $state',
    async ({ transition, state }) => {
      const { author, editor, db } = fixture;
      const { _id, body, pending, before } = await oldBlog(state);
      const edit = { title: 'Another title' };
      const { client } = personFor(transition, fixture);
      expect((await makeTransition(client, transition, _id, edit)).status).toBe(200);

      const [isLive, isSubmitted] = [state.startsWith('live'), state.endsWith('in review')];
      const working = isLive ? pending : body;
      const { rev, publishedAt, updatedAt } = before;
      const { updatedAt: at } = await storedBlog(db, _id);
      const published = { move: 'publish', rev: isSubmitted ? rev - 1 : rev, at: publishedAt };
      const by = transition === 'submit' ? author._id : editor._id;
      const changed = transition === 'correct' ? { ...working, ...edit } : working;
      const makesRevision = ['submit', 'correct', 'publish'].includes(transition);
      const expected = [
        ...(isLive ? [{ ...published, by: undefined, fields: body }] : []),
        ...(isSubmitted
          ? [{ move: 'submit', rev, at: updatedAt, by: author._id, fields: working }]
          : []),
        ...(makesRevision ? [{ move: transition, rev: rev + 1, at, by, fields: changed }] : []),
      ];
      const stored = await revisionsOf(fixture, _id);
      expect(
        stored.map((each) => ({
          move: each.move,
          rev: each.rev,
          at: new Date(each.at),
          by: each.by?._id,
          fields: fieldsOf(each),
        })),
      ).toEqual(expected);
    },
  );

  it('should get its revisions only once when many transitions are tried concurrently', async () => {
    const { editor, author, db } = fixture;
    const { _id, body, pending } = await oldBlog('live in review');
    const publish = () => editor.client.put(`/blog/editor/publish/id/${_id}`);
    const withdraw = () => author.client.put(`/blog/author/withdraw/${_id}`);
    const answers = await Promise.all(
      [publish, withdraw, publish, withdraw, publish].map((send) => send()),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [first, second, ...others] = await revisionsOf(fixture, _id);
    expect([fieldsOf(first!), fieldsOf(second!)]).toEqual([body, pending]);
    expect(others.length).toBeLessThanOrEqual(1);
    expect(await contentCount(db, _id)).toBeGreaterThanOrEqual(2);
  });
});

describe('the content of a revision', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('should come from a majority read of the blog, and be written with a majority', async () => {
    const recorder = new CommandRecorder(fixture);
    const { _id } = await blogIn('draft', fixture.author, fixture.editor);
    recorder.clear();
    await fixture.author.client.put(`/blog/author/submit/${_id}`);
    const sent = recorder.commands.filter(({ collection }) => collection?.startsWith('blog'));
    expect(sent.map(({ name, collection }) => `${name} ${collection}`)).toEqual([
      'aggregate blogs',
      'insert blog_revisions',
      'findAndModify blogs',
    ]);
    const [read, ...writes] = sent.map(({ command }) => command);
    expect(read?.['readConcern']).toMatchObject({ level: 'majority' });
    // The client writes with `majority` by default; a command may only repeat it.
    for (const { writeConcern } of writes)
      expect(writeConcern ?? { w: 'majority' }).toMatchObject({ w: 'majority' });
  });

  /** Makes each read of the store look like one after which the process was suspended for two minutes. */
  function suspendAfterReads(): void {
    const store = fixture.app.get(RevisionStore);
    const read = store.read.bind(store);
    jest.spyOn(store, 'read').mockImplementation(async (id) => {
      const snapshot = await read(id);
      return snapshot && { ...snapshot, readAt: new Date(+snapshot.readAt - 2 * MINUTE) };
    });
  }

  it('should not be named by a revision if the sweep may have removed it', async () => {
    const { author, editor, db, app } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    const live = new Types.ObjectId((await blogIn('live', author, editor))._id);
    const before = await storedBlog(db, _id);
    suspendAfterReads();
    expect((await author.client.put(`/blog/author/submit/${_id}`)).status).toBe(412);
    expect(await storedBlog(db, _id)).toEqual(before);
    expect(await contentCount(db, _id)).toBe(0);

    await db.collection('blogs').updateOne({ _id: live }, { $unset: { revisions: 1 } });
    const request = { id: live, actor: live, ifMatch: null };
    const transition = app.get(BlogTransitionService).apply('unpublish', request);
    await expect(transition).rejects.toThrow(StaleRevisionError);
    expect(await storedBlog(db, live.toHexString())).not.toHaveProperty('revisions');
  });
});

describe('the sweep of revisions', () => {
  let blog: BlogInState;

  beforeEach(async () => {
    await fixture.db.collection('blog_revisions').deleteMany({});
    blog = await blogIn('live in review', fixture.author, fixture.editor);
  });

  /** Stores contents that no revision names, like transitions that fail after they have stored a content. */
  async function leaveContents(id: string, count: number): Promise<void> {
    const store = fixture.app.get(RevisionStore);
    const snapshot = await store.read(new Types.ObjectId(id));
    if (!snapshot) throw new Error(`no blog ${id} is stored`);
    for (let n = 0; n < count; n++) await store.store(snapshot);
  }

  const waitingCount = () =>
    fixture.db.collection('blog_revisions').countDocuments({ sweepAt: { $exists: true } });

  it('should remove what no revision names, keep the rest, and then have nothing to do', async () => {
    const { app, db } = fixture;
    const revisions = await revisionsOf(fixture, blog._id);
    await leaveContents(blog._id, 3);
    expect(await app.get(RevisionSweep).isDue()).toBe(false);
    await makeDue(db);
    expect(await app.get(RevisionSweep).isDue()).toBe(true);
    expect(await sweep(fixture)).toBe('contents without a revision removed: 3');
    expect([await contentCount(db, blog._id), await waitingCount()]).toEqual([2, 0]);
    expect(await revisionsOf(fixture, blog._id)).toEqual(revisions);
    expect(await app.get(RevisionSweep).isDue()).toBe(false);
    expect(await sweep(fixture)).toBeNull();
  });

  it('should keep contents that a transition in progress may name', async () => {
    const { author, editor, db } = fixture;
    await makeDue(db);
    const other = await blogIn('draft', author, editor);
    await leaveContents(other._id, 1);
    await leaveContents(blog._id, 1);
    expect(await sweep(fixture)).toBeNull();
    expect([await contentCount(db, blog._id), await waitingCount()]).toEqual([3, 2]);
    expect(await contentCount(db, other._id)).toBe(1);
  });

  it('should remove the contents that REVISIONS_KEEP has dropped when a later content is due', async () => {
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
    await leaveContents(blog._id, 1);
    await remove(new Types.ObjectId(blog._id));
    await makeDue(db);
    await sweep(fixture);
    expect(await contentCount(db, blog._id)).toBe(0);
  });

  it('should not be needed for a removed blog whose contents were all named: the outbox relay removes them', async () => {
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

  it('should decide on each of many contents in two concurrent processes', async () => {
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
    expect(await waitingCount()).toBe(0);
    await other.close();
  }, 60_000);

  it('should remove nothing if it is aborted before its first step', async () => {
    await leaveContents(blog._id, 1);
    await makeDue(fixture.db);
    await fixture.app.get(RevisionSweep).run(AbortSignal.abort());
    expect(await contentCount(fixture.db, blog._id)).toBe(3);
  });
});
