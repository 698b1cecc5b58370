import { beforeAll, describe, expect, it } from '@jest/globals';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import { blogIn, unique, type BlogInState } from '../../support/factories.js';
import { BLOG_READS } from '../../routes/reads.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { holdNextRead, controlMonotonicClock, type MonotonicClock } from './support/barriers.js';
import { openFixture, type Fixture } from './support/fixture.js';

/** A standalone has no change streams, so a server cannot learn of the writes of others. */
describe('on a standalone MongoDB', () => {
  let mongod: OwnMongo;
  let server: Fixture;
  let clock: MonotonicClock;
  let recorder: CommandRecorder;
  let blog: BlogInState;

  beforeAll(async () => {
    mongod = await OwnMongo.createStandalone();
    server = await openFixture({ uri: mongod.uri('standalone') });
    clock = controlMonotonicClock(server.app);
    blog = await blogIn('live', server.author, server.editor);
    recorder = new CommandRecorder(server);
  });

  const queries = (collection: string): number =>
    recorder.commands.filter(
      (command) =>
        command.collection === collection && ['find', 'aggregate'].includes(command.name),
    ).length;

  it.each([
    ...BLOG_READS.map(({ pathTo }): [string, () => string] => [
      'blogs',
      () => pathTo({ ...blog, author: server.author, similarBlog: blog }),
    ]),
    ['users', () => `/profile/id/${server.author._id}`],
    ['sessions', () => '/profile/mine'],
  ])('should read %s anew for every answer', async (collection, path) => {
    recorder.clear();
    for (let n = 1; n <= 4; n++) {
      expect((await server.author.client.get(path())).status).toBe(200);
      expect(queries(collection)).toBeGreaterThanOrEqual(n);
    }
    expect(recorder.commands.filter((command) => command.collection === 'beats')).toEqual([]);
  });

  async function newKey(): Promise<{
    status: () => Promise<number>;
    disable: () => Promise<void>;
  }> {
    const key = unique('plain-key');
    const keys = server.db.collection('api_keys');
    await keys.insertOne({ key, status: true });
    return {
      status: async () =>
        (await server.client.get('/auth/verify/apikey', { headers: { 'x-api-key': key } })).status,
      disable: async () => {
        await keys.updateOne({ key }, { $set: { status: false } });
      },
    };
  }

  it('should accept a cached API key for one second', async () => {
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
    const held = holdNextRead(server.app);
    const first = key.status();
    await held.untilRead();
    await key.disable();
    clock.advance(1_000);
    held.release();
    expect(await first).toBe(200);
    expect(await key.status()).toBe(403);
  });

  it('should show its own writes at once', async () => {
    expect((await server.client.get(`/blog/id/${blog._id}`)).status).toBe(200);
    await server.editor.client.put(`/blog/editor/unpublish/id/${blog._id}`);
    expect((await server.client.get(`/blog/id/${blog._id}`)).status).toBe(404);
  });
});
