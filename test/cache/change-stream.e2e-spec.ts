import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { CacheCoherenceService } from '../../src/cache/cache-coherence.service.js';
import { holdClock, HOUR } from '../support/clock.js';
import { blogIn, type BlogInState } from '../support/factories.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';
import { until } from '../support/wait.js';
import {
  holdFeed,
  keepLease,
  moveMonotonicClock,
  untilServing,
  type MonotonicClock,
  operationTime,
} from './support/barriers.js';
import { openStage, type Stage } from './support/fixture.js';

/** The server's reads of its change stream fail so that it cannot go on where it was. */
const LOST = { failCommands: ['getMore', 'aggregate'], errorCode: 286 };

/** The write is done, and answered by an error that says nothing about it. */
const UNKNOWN_OUTCOME = {
  failCommands: ['findAndModify'],
  writeConcernError: { code: 64, errmsg: 'of the test' },
};

const UNPUBLISHED = { $unset: { live: 1 }, $set: { published: false, drafted: true } } as const;

describe('the change stream', () => {
  let mongod: OwnMongo;
  let stage: Stage;
  let clock: MonotonicClock;

  beforeAll(async () => {
    mongod = await OwnMongo.create({ hasFailPoints: true });
    stage = await openStage({ uri: mongod.uri('stream') });
    clock = moveMonotonicClock(stage.app);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    clock.go();
    await mongod.failPoint('failCommand', 'off');
  });

  afterAll(async () => {
    await stage.close();
    await mongod.remove();
  });

  const live = (overrides: object = {}) => blogIn('live', stage.author, stage.editor, overrides);
  const statusOf = async ({ _id }: BlogInState): Promise<number> =>
    (await stage.client.get(`/blog/id/${_id}`)).status;
  const edit = ({ _id }: BlogInState, update: mongo.UpdateFilter<mongo.Document>) =>
    stage.db.collection('blogs').updateOne({ _id: new Types.ObjectId(_id) }, update);

  /** A blog that is in coherence, which is being served from. */
  async function remembered(): Promise<BlogInState> {
    const blog = await live();
    await untilServing(stage.app);
    expect(await statusOf(blog)).toBe(200);
    return blog;
  }

  it('should end the lease within a second when nothing comes any more', async () => {
    const blog = await remembered();
    const feed = holdFeed(stage.app);
    const since = await operationTime(stage);
    await edit(blog, UNPUBLISHED);
    await feed.hasChange(since);
    clock.advance(1_000);
    expect(await statusOf(blog)).toBe(404);
    feed.release();
  });

  it('should not renew the lease by a beat that took longer than it is good for', async () => {
    const coherence = stage.app.get(CacheCoherenceService);
    await untilServing(stage.app);
    const feed = holdFeed(stage.app);
    clock.advance(300);
    coherence.isServing();
    await feed.hasBeat();
    clock.advance(900);
    expect(coherence.isServing()).toBe(false);
    feed.release();
    expect(coherence.isServing()).toBe(false);
    await untilServing(stage.app);
  });

  it.each([HOUR, -HOUR])('should not mind a clock that is set by %d ms', async (jump) => {
    const wall = holdClock(stage.app);
    const blog = await remembered();
    const feed = holdFeed(stage.app, 'changes');
    const since = await operationTime(stage);
    await edit(blog, UNPUBLISHED);
    await feed.hasChange(since);
    wall.advance(jump);
    // It has not lost the lease,
    await until('an answer from memory', async () => (await statusOf(blog)) === 200);
    feed.holdBeats();
    wall.advance(-jump);
    clock.advance(1_000);
    // nor kept it.
    expect(await statusOf(blog)).toBe(404);
    feed.release();
  });

  it('should lose nothing when its cursor is killed', async () => {
    const blog = await remembered();
    const { cursor: found } = await stage.db.admin().command({
      aggregate: 1,
      pipeline: [
        { $currentOp: { idleCursors: true } },
        { $match: { 'cursor.originatingCommand.pipeline.0.$changeStream': { $exists: true } } },
      ],
      cursor: {},
    });
    const cursors: readonly { cursor: { cursorId: mongo.Long } }[] = found.firstBatch;
    expect(cursors.length).toBeGreaterThanOrEqual(1);
    for (const { cursor } of cursors) {
      await stage.db.command({ killCursors: '$cmd.aggregate', cursors: [cursor.cursorId] });
    }
    await edit(blog, UNPUBLISHED);
    await until('the change', async () => (await statusOf(blog)) === 404);
    await untilServing(stage.app);
    expect(await statusOf(blog)).toBe(404);
  });

  it('should forget what it may have missed when it has lost its place', async () => {
    const blog = await remembered();
    const coherence = stage.app.get(CacheCoherenceService);
    // The lease would not run out.
    await untilServing(stage.app);
    clock.stop();
    expect(coherence.isServing()).toBe(true);
    await mongod.failPoint('failCommand', 'alwaysOn', LOST);
    await until('the end of the lease', () => !coherence.isServing());
    clock.go();
    await edit(blog, UNPUBLISHED);
    await mongod.failPoint('failCommand', 'off');
    await untilServing(stage.app);
    expect(await statusOf(blog)).toBe(404);
  });

  it('should report tags that were only cut off', async () => {
    keepLease(stage.app);
    const { _id, body } = await live({ tags: ['kept', 'cut off'] });
    const tagged = async (): Promise<unknown[]> =>
      (await stage.client.get('/blogs/tag/cut%20off')).body.data;
    const tagsOf = async (): Promise<unknown> =>
      (await stage.client.get(`/blog/id/${_id}`)).body.data.tags;
    expect([await tagsOf(), await tagged()]).toEqual([body.tags, [expect.anything()]]);
    const stream = stage.db.collection('blogs').watch();
    const seen = stream.next();
    await until('the stream of the test', () => stream.resumeToken !== undefined);
    const firstOf = (path: string): object => ({ $slice: [`$${path}`, 1] });
    await stage.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(_id) }, [
        { $set: { 'live.tags': firstOf('live.tags'), 'live.tagKeys': firstOf('live.tagKeys') } },
      ]);
    expect(await seen).toMatchObject({ updateDescription: { updatedFields: {} } });
    await stream.close();
    await until('the shorter list', async () => (await tagged()).length === 0);
    expect(await tagsOf()).toEqual(['kept']);
  });

  it('should not be needed for a write of this process whose outcome is unknown', async () => {
    keepLease(stage.app);
    const blog = await live();
    expect(await statusOf(blog)).toBe(200);
    const feed = holdFeed(stage.app);
    const since = await operationTime(stage);
    await mongod.failPoint('failCommand', { times: 1 }, UNKNOWN_OUTCOME);
    const answer = await stage.editor.client.put(`/blog/editor/unpublish/id/${blog._id}`);
    expect(answer.status).toBe(503);
    await feed.hasChange(since);
    expect(await statusOf(blog)).toBe(404);
    feed.release();
  });

  it('should forget everything when a collection goes', async () => {
    keepLease(stage.app);
    const blog = await live();
    expect(await statusOf(blog)).toBe(200);
    await stage.db.collection('blogs').rename('shelved');
    await until('an empty shelf', async () => (await statusOf(blog)) === 404);
    await stage.db.collection('shelved').rename('blogs');
    await until('a full one', async () => (await statusOf(blog)) === 200);
  });
});
