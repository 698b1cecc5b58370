import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { CacheCoherenceService } from '../../../src/platform/caching/cache-coherence.service.js';
import { holdClock, HOUR } from '../../support/time/clock.js';
import { blogIn, type BlogInState } from '../../support/factories.js';
import { untilOpen } from '../../support/mongo/change-streams.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { until } from '../../support/time/wait.js';
import {
  holdStream,
  keepLease,
  controlMonotonicClock,
  untilServing,
  type MonotonicClock,
  operationTime,
} from './support/barriers.js';
import { cachedBlog, openFixture, takeDown, type Fixture } from './support/fixture.js';

/** Fails the server's change stream, which then cannot resume, and each attempt to open a new one. */
const END_OF_STREAM = { failCommands: ['getMore', 'aggregate'], errorCode: 286 };

/** The write is carried out, but its answer is an error after which its outcome is unknown. */
const UNKNOWN_OUTCOME = {
  failCommands: ['findAndModify'],
  writeConcernError: { code: 64, errmsg: 'of the test' },
};

describe('the change stream', () => {
  let mongod: OwnMongo;
  let server: Fixture;
  let clock: MonotonicClock;

  beforeAll(async () => {
    mongod = await OwnMongo.create({ hasFailPoints: true });
    server = await openFixture({ uri: mongod.uri('stream') });
    clock = controlMonotonicClock(server.app);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    clock.resume();
    await mongod.failPoint('failCommand', 'off');
  });

  const liveBlog = (overrides: object = {}) =>
    blogIn('live', server.author, server.editor, overrides);
  const statusOf = async ({ _id }: BlogInState): Promise<number> =>
    (await server.client.get(`/blog/id/${_id}`)).status;

  it('should end the lease within a second when it reports nothing any more', async () => {
    const blog = await cachedBlog(server);
    const stream = holdStream(server.app);
    const since = await operationTime(server);
    await takeDown(server.db, blog._id);
    await stream.untilChange(since);
    clock.advance(1_000);
    expect(await statusOf(blog)).toBe(404);
    stream.release();
  });

  it('should not renew the lease by a heartbeat that took longer than the lease lasts', async () => {
    const coherence = server.app.get(CacheCoherenceService);
    await untilServing(server.app);
    const stream = holdStream(server.app);
    clock.advance(300);
    coherence.isServing();
    await stream.untilHeartbeat();
    clock.advance(900);
    expect(coherence.isServing()).toBe(false);
    stream.release();
    expect(coherence.isServing()).toBe(false);
    await untilServing(server.app);
  });

  it.each([HOUR, -HOUR])(
    'should not depend on the wall clock, which jumps by %d ms',
    async (jump) => {
      const systemClock = holdClock(server.app);
      const blog = await liveBlog();
      await untilServing(server.app);
      // However slow the machine is, the lease cannot lapse by itself, and a late report of the
      // publication cannot remove the blog from the cache.
      clock.pause();
      const stream = holdStream(server.app, 'changes');
      expect(await statusOf(blog)).toBe(200);
      const since = await operationTime(server);
      await takeDown(server.db, blog._id);
      await stream.untilChange(since);
      systemClock.advance(jump);
      // The lease is still held.
      expect(await statusOf(blog)).toBe(200);
      stream.holdHeartbeats();
      systemClock.advance(-jump);
      clock.resume();
      clock.advance(1_000);
      // The lease ends in time.
      expect(await statusOf(blog)).toBe(404);
      stream.release();
    },
  );

  it('should lose nothing when its cursor is killed', async () => {
    const blog = await cachedBlog(server);
    const { cursor: found } = await server.db.admin().command({
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
      await server.db.command({ killCursors: '$cmd.aggregate', cursors: [cursor.cursorId] });
    }
    await takeDown(server.db, blog._id);
    await until('the change', async () => (await statusOf(blog)) === 404);
    await untilServing(server.app);
    expect(await statusOf(blog)).toBe(404);
  });

  it('should invalidate what it may have missed when it could not resume', async () => {
    const blog = await cachedBlog(server);
    const coherence = server.app.get(CacheCoherenceService);
    await untilServing(server.app);
    // From here on, only the end of the stream can end the lease.
    clock.pause();
    expect(coherence.isServing()).toBe(true);
    await mongod.failPoint('failCommand', 'alwaysOn', END_OF_STREAM);
    await until('the end of the lease', () => !coherence.isServing());
    clock.resume();
    await takeDown(server.db, blog._id);
    await mongod.failPoint('failCommand', 'off');
    await untilServing(server.app);
    expect(await statusOf(blog)).toBe(404);
  });

  it('should report a list of tags that was only truncated', async () => {
    keepLease(server.app);
    const { _id, body } = await liveBlog({ tags: ['kept', 'cut off'] });
    const blogsWithTag = async (): Promise<unknown[]> =>
      (await server.client.get('/blogs/tag/cut%20off')).body.data;
    const tagsOf = async (): Promise<unknown> =>
      (await server.client.get(`/blog/id/${_id}`)).body.data.tags;
    expect([await tagsOf(), await blogsWithTag()]).toEqual([body.tags, [expect.anything()]]);
    const stream = server.db.collection('blogs').watch();
    const firstChange = stream.next();
    await untilOpen(stream);
    const firstOf = (path: string): object => ({ $slice: [`$${path}`, 1] });
    await server.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(_id) }, [
        { $set: { 'live.tags': firstOf('live.tags'), 'live.tagKeys': firstOf('live.tagKeys') } },
      ]);
    expect(await firstChange).toMatchObject({ updateDescription: { updatedFields: {} } });
    await stream.close();
    await until('the list without the blog', async () => (await blogsWithTag()).length === 0);
    expect(await tagsOf()).toEqual(['kept']);
  });

  it('should not be needed for a write of this process whose outcome is unknown', async () => {
    keepLease(server.app);
    const blog = await liveBlog();
    expect(await statusOf(blog)).toBe(200);
    const stream = holdStream(server.app);
    const since = await operationTime(server);
    await mongod.failPoint('failCommand', { times: 1 }, UNKNOWN_OUTCOME);
    const answer = await server.editor.client.put(`/blog/editor/unpublish/id/${blog._id}`);
    expect(answer.status).toBe(503);
    await stream.untilChange(since);
    expect(await statusOf(blog)).toBe(404);
    stream.release();
  });

  it('should invalidate everything when a collection is renamed', async () => {
    keepLease(server.app);
    const blog = await liveBlog();
    expect(await statusOf(blog)).toBe(200);
    await server.db.collection('blogs').rename('shelved');
    await until('no blog', async () => (await statusOf(blog)) === 404);
    await server.db.collection('shelved').rename('blogs');
    await until('the blog', async () => (await statusOf(blog)) === 200);
  });
});
