import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { CacheCoherenceService } from '../../src/cache/cache-coherence.service.js';
import { CommandRecorder } from '../support/checks/command-recorder.js';
import { blogIn, type BlogInState } from '../support/factories.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';
import { until } from '../support/wait.js';
import {
  holdFeed,
  moveMonotonicClock,
  untilServing,
  type MonotonicClock,
} from './support/barriers.js';
import { openStage, type Stage } from './support/fixture.js';

describe('a database that is away for a while', () => {
  let mongod: OwnMongo;
  let stage: Stage;
  let clock: MonotonicClock;
  let recorder: CommandRecorder;

  beforeAll(async () => {
    mongod = await OwnMongo.create();
    stage = await openStage({ uri: mongod.uri('outage') });
    clock = moveMonotonicClock(stage.app);
    recorder = new CommandRecorder(stage);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    mongod.thaw();
  });

  afterAll(async () => {
    recorder.stop();
    await stage.close();
    await mongod.remove();
  });

  const statusOf = async ({ _id }: BlogInState): Promise<number> =>
    (await stage.client.get(`/blog/id/${_id}`)).status;
  const unpublish = ({ _id }: BlogInState) =>
    stage.db
      .collection('blogs')
      .updateOne(
        { _id: new Types.ObjectId(_id) },
        { $unset: { live: 1 }, $set: { published: false, drafted: true } },
      );

  async function remembered(): Promise<BlogInState> {
    const blog = await blogIn('live', stage.author, stage.editor);
    await untilServing(stage.app);
    expect(await statusOf(blog)).toBe(200);
    return blog;
  }

  it('should not be stood in for by the memory when it answers nothing', async () => {
    const blog = await remembered();
    const feed = holdFeed(stage.app);
    await unpublish(blog);
    await mongod.freeze();
    clock.advance(1_000);
    recorder.clear();
    let answered: number | null = null;
    const read = statusOf(blog).then((status) => (answered = status));
    await until(
      'a query, or an answer without one',
      () => answered !== null || recorder.commands.some(({ name }) => name === 'find'),
    );
    expect(answered).toBeNull();
    mongod.thaw();
    expect(await read).toBe(404);
    feed.release();
  });

  it('should have everything forgotten that changes when it is back', async () => {
    const blog = await remembered();
    const coherence = stage.app.get(CacheCoherenceService);
    await mongod.stop();
    clock.advance(1_000);
    expect(coherence.isServing()).toBe(false);
    await mongod.start();
    await until('a primary', async () => (await statusOf(blog)) === 200);
    await unpublish(blog);
    await until('the change', async () => (await statusOf(blog)) === 404);
    // A beat from before it says nothing about it.
    clock.advance(1_000);
    await untilServing(stage.app);
    expect(await statusOf(blog)).toBe(404);
  });
});
