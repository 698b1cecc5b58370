import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandRecorder } from '../support/checks/command-recorder.js';
import { blogIn, unique, type BlogInState } from '../support/factories.js';
import { BLOG_READS } from '../routes/reads.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';
import { holdNextRead, moveMonotonicClock, type MonotonicClock } from './support/barriers.js';
import { openStage, type Stage } from './support/fixture.js';

/** Without a change stream nothing is known of the writes of others. */
describe('on a standalone MongoDB', () => {
  let mongod: OwnMongo;
  let stage: Stage;
  let clock: MonotonicClock;
  let recorder: CommandRecorder;
  let blog: BlogInState;

  beforeAll(async () => {
    mongod = await OwnMongo.createStandalone();
    stage = await openStage({ uri: mongod.uri('standalone') });
    clock = moveMonotonicClock(stage.app);
    blog = await blogIn('live', stage.author, stage.editor);
    recorder = new CommandRecorder(stage);
  });

  afterAll(async () => {
    recorder.stop();
    await stage.close();
    await mongod.remove();
  });

  const queries = (collection: string): number =>
    recorder.commands.filter(
      (command) =>
        command.collection === collection && ['find', 'aggregate'].includes(command.name),
    ).length;

  it.each([
    ...BLOG_READS.map(({ pathTo }): [string, () => string] => [
      'blogs',
      () => pathTo({ ...blog, author: stage.author, neighbour: blog }),
    ]),
    ['users', () => `/profile/id/${stage.author._id}`],
    ['sessions', () => '/profile/mine'],
  ])('should read %s anew for every answer', async (collection, path) => {
    recorder.clear();
    for (let n = 1; n <= 4; n++) {
      expect((await stage.author.client.get(path())).status).toBe(200);
      expect(queries(collection)).toBeGreaterThanOrEqual(n);
    }
    expect(recorder.commands.filter((command) => command.collection === 'beats')).toEqual([]);
  });

  async function newKey(): Promise<{
    status: () => Promise<number>;
    disable: () => Promise<void>;
  }> {
    const key = unique('plain-key');
    const keys = stage.db.collection('api_keys');
    await keys.insertOne({ key, status: true });
    return {
      status: async () =>
        (await stage.client.get('/auth/verify/apikey', { headers: { 'x-api-key': key } })).status,
      disable: async () => {
        await keys.updateOne({ key }, { $set: { status: false } });
      },
    };
  }

  it('should take an API key as good for one second', async () => {
    const key = await newKey();
    expect(await key.status()).toBe(200);
    await key.disable();
    clock.advance(1_000);
    expect(await key.status()).toBe(403);
  });

  it('should not look an API key up again within that second', async () => {
    const now = performance.now();
    const key = await newKey();
    expect(await key.status()).toBe(200);
    recorder.clear();
    const asked = 20;
    for (let n = 0; n < asked; n++) expect(await key.status()).toBe(200);
    const seconds = (performance.now() - now) / 1_000;
    expect(queries('api_keys')).toBeLessThanOrEqual(seconds);
  });

  it('should count that second from when the key was read, however late the answer is', async () => {
    const key = await newKey();
    const held = holdNextRead(stage.app);
    const first = key.status();
    await held.wasRead();
    await key.disable();
    clock.advance(1_000);
    held.arrive();
    expect(await first).toBe(200);
    expect(await key.status()).toBe(403);
  });

  it('should show its own writes at once', async () => {
    expect((await stage.client.get(`/blog/id/${blog._id}`)).status).toBe(200);
    await stage.editor.client.put(`/blog/editor/unpublish/id/${blog._id}`);
    expect((await stage.client.get(`/blog/id/${blog._id}`)).status).toBe(404);
  });
});
