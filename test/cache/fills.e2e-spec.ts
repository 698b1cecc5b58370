import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { until } from '../support/wait.js';
import { holdFeed, keepLease, operationTime } from './support/barriers.js';
import { SCENES, type Scene } from './support/scenarios.js';
import { openStage, type Stage } from './support/fixture.js';

/**
 * What is read for the memory while something else happens (design, section 3). The lease is kept
 * throughout: it must not be what saves us.
 */
describe('a read for the memory', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  afterAll(() => stage.close());

  describe.each(SCENES)('of %s', (_title, make) => {
    let scene: Scene;
    let read: () => Promise<string>;

    beforeEach(async () => {
      keepLease(stage.app);
      scene = await make(stage);
      read = () => scene.read(stage.client);
      // What every request needs is in memory, so that the next read is the one that counts.
      await stage.client.get('/auth/verify/apikey');
      await stage.author.client.get('/profile/mine');
      await stage.editor.client.get('/profile/mine');
    });

    it('should be served again without a read, until the write was acknowledged', async () => {
      const feed = holdFeed(stage.app);
      expect(await read()).toBe(scene.before);
      await scene.write();
      expect(await read()).toBe(scene.after);
      feed.release();
      expect(await read()).toBe(scene.after);
    });

    it('should not be kept when it began before a write and ends after it', async () => {
      const feed = holdFeed(stage.app);
      const held = scene.hold(stage.app);
      const first = read();
      await held.wasRead();
      await scene.write();
      held.arrive();
      expect(await first).toBe(scene.before);
      expect(await read()).toBe(scene.after);
      feed.release();
      expect(await read()).toBe(scene.after);
    });

    it('should not be joined by a reader who comes after the write', async () => {
      const feed = holdFeed(stage.app);
      const held = scene.hold(stage.app);
      const first = read();
      await held.wasRead();
      await scene.write();
      let second = 'none';
      const joined = read().then((seen) => (second = seen));
      await until('an answer that waits for nobody', () => second !== 'none', 5_000).finally(() =>
        held.arrive(),
      );
      await Promise.all([first, joined]);
      expect(second).toBe(scene.after);
      feed.release();
    });

    it('should not be kept when the stream reports a change of others meanwhile', async () => {
      const feed = holdFeed(stage.app);
      const held = scene.hold(stage.app);
      const first = read();
      await held.wasRead();
      const since = await operationTime(stage);
      await scene.edit();
      await feed.hasChange(since);
      feed.release();
      held.arrive();
      expect(await first).toBe(scene.before);
      expect(await read()).toBe(scene.after);
    });

    it('should be forgotten when the stream reports a change of others afterwards', async () => {
      const feed = holdFeed(stage.app);
      const held = scene.hold(stage.app);
      const first = read();
      await held.wasRead();
      const since = await operationTime(stage);
      await scene.edit();
      await feed.hasChange(since);
      held.arrive();
      expect(await first).toBe(scene.before);
      // As long as the stream is silent and the lease is held, it is what others have last seen.
      expect(await read()).toBe(scene.before);
      feed.release();
      expect(await read()).toBe(scene.after);
    });
  });
});
