import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { CacheCoherenceService } from '../../../src/platform/caching/cache-coherence.service.js';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import { blogIn, type BlogInState } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { until } from '../../support/time/wait.js';
import {
  holdStream,
  controlMonotonicClock,
  untilServing,
  type MonotonicClock,
} from './support/barriers.js';
import { openFixture, type Fixture } from './support/fixture.js';

describe('a database that is away for a while', () => {
  let mongod: OwnMongo;
  let server: Fixture;
  let clock: MonotonicClock;
  let recorder: CommandRecorder;

  beforeAll(async () => {
    mongod = await OwnMongo.create();
    server = await openFixture({ uri: mongod.uri('outage') });
    clock = controlMonotonicClock(server.app);
    recorder = new CommandRecorder(server);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    mongod.resume();
  });

  const statusOf = async ({ _id }: BlogInState): Promise<number> =>
    (await server.client.get(`/blog/id/${_id}`)).status;
  const unpublish = ({ _id }: BlogInState) =>
    server.db
      .collection('blogs')
      .updateOne(
        { _id: new Types.ObjectId(_id) },
        { $unset: { live: 1 }, $set: { published: false, drafted: true } },
      );

  async function cachedBlog(): Promise<BlogInState> {
    const blog = await blogIn('live', server.author, server.editor);
    await untilServing(server.app);
    expect(await statusOf(blog)).toBe(200);
    return blog;
  }

  it('should not be replaced by the cache when it does not answer', async () => {
    const blog = await cachedBlog();
    const stream = holdStream(server.app);
    await unpublish(blog);
    await mongod.suspend();
    clock.advance(1_000);
    recorder.clear();
    let answered: number | null = null;
    const read = statusOf(blog).then((status) => (answered = status));
    await until(
      'a query, or an answer without one',
      () => answered !== null || recorder.commands.some(({ name }) => name === 'find'),
    );
    expect(answered).toBeNull();
    mongod.resume();
    expect(await read).toBe(404);
    stream.release();
  });

  it('should have its changes seen when it is back', async () => {
    const blog = await cachedBlog();
    const coherence = server.app.get(CacheCoherenceService);
    await mongod.stop();
    clock.advance(1_000);
    expect(coherence.isServing()).toBe(false);
    await mongod.start();
    await until('a primary', async () => (await statusOf(blog)) === 200);
    await unpublish(blog);
    await until('the change', async () => (await statusOf(blog)) === 404);
    // The lease of a heartbeat from before the change must have ended.
    clock.advance(1_000);
    await untilServing(server.app);
    expect(await statusOf(blog)).toBe(404);
  });
});
