import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { CacheCoherenceService } from '../../src/cache/cache-coherence.service.js';
import { CommandRecorder } from '../support/checks/command-recorder.js';
import { account, blogIn } from '../support/factories.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';
import { openSession } from '../support/sessions.js';
import { until } from '../support/wait.js';
import { keepLease, untilServing } from './support/barriers.js';
import { openStage, type Stage } from './support/fixture.js';

const TIMEOUT_MS = 120_000;

/** The server's change stream fails so that it cannot go on where it was. */
const LOST = { failCommands: ['getMore'], errorCode: 286 };

const UNPUBLISHED = { $unset: { live: 1 }, $set: { published: false, drafted: true } } as const;

/** Commands that read for the memory, and may be answered by any member. */
const READ = /^(find|aggregate|count)$/;

describe.each(['this process', 'another one'])('what %s has written', (writer) => {
  let primary: OwnMongo;
  let secondary: OwnMongo;
  let stage: Stage;
  let recorder: CommandRecorder;

  beforeAll(async () => {
    [primary, secondary] = await OwnMongo.createPair({ votes: 0 });
    stage = await openStage({ uri: primary.uri('fence') });
    recorder = new CommandRecorder(stage);
  }, TIMEOUT_MS);

  afterAll(async () => {
    jest.restoreAllMocks();
    recorder.stop();
    // Or there would be none to drop the database of.
    await primary.start();
    await stage.close();
    await Promise.all([primary.remove(), secondary.remove()]);
  }, TIMEOUT_MS);

  it(
    'should not be missing in a read from a secondary that lags, once there is no primary',
    async () => {
      // The API key stays in memory: it would be looked up at the primary alone.
      keepLease(stage.app);
      const changed = jest.spyOn(stage.app.get(CacheCoherenceService), 'changed');
      const blog = await blogIn('live', stage.author, stage.editor);
      const path = `/blog/id/${blog._id}`;
      expect((await stage.client.get(path)).status).toBe(200);

      const id = new Types.ObjectId(blog._id);
      // It has all that was before, so that nothing else is waited for.
      const replica = stage.db.collection('blogs', { readPreference: 'secondary' });
      await until('the secondary', async () => {
        const published = { _id: id, 'live.title': blog.body.title };
        return (await replica.countDocuments(published)) === 1;
      });
      await secondary.failPoint('rsSyncApplyStop', 'alwaysOn');
      if (writer === 'this process') {
        const { status } = await stage.editor.client.put(`/blog/editor/unpublish/id/${blog._id}`);
        expect(status).toBe(200);
      } else {
        await until('the stream', () => isReported(changed.mock.calls, blog._id, 'live'));
        await stage.db.collection('blogs').updateOne({ _id: id }, UNPUBLISHED);
        await until('the event', () => isReported(changed.mock.calls, blog._id, 'drafted', 'live'));
      }
      await primary.stop('SIGKILL');

      let answered: number | null = null;
      const read = stage.client.get(path).then((answer) => (answered = answer.status));
      const waiting = { 'command.find': 'blogs', 'command.$db': 'fence' };
      await until(
        'a read that waits, or its answer',
        async () => answered !== null || (await secondary.operations(waiting)) > 0,
      );
      expect(answered).toBeNull();
      await secondary.failPoint('rsSyncApplyStop', 'off');
      // 503 if the primary ended before the secondary had fetched what it would have to apply.
      expect([404, 503]).toContain(await read);
    },
    TIMEOUT_MS,
  );
});

/** Whether the stream has told of an update of all these fields of a blog. */
function isReported(
  calls: readonly Parameters<CacheCoherenceService['changed']>[],
  id: string,
  ...paths: readonly string[]
): boolean {
  return calls.some(
    ([event]) => event?.id === id && paths.every((path) => event.paths.includes(path)),
  );
}

describe('a change that a majority has not yet', () => {
  let primary: OwnMongo;
  let secondary: OwnMongo;
  let stage: Stage;
  let recorder: CommandRecorder;

  beforeAll(async () => {
    [primary, secondary] = await OwnMongo.createPair({ votes: 1 });
    stage = await openStage({ uri: primary.uri('fence') });
    recorder = new CommandRecorder(stage);
  }, TIMEOUT_MS);

  afterEach(async () => {
    await secondary.failPoint('stopReplProducer', 'off');
  });

  afterAll(async () => {
    recorder.stop();
    await stage.close();
    await Promise.all([primary.remove(), secondary.remove()]);
  }, TIMEOUT_MS);

  const namesSent = (): string[] =>
    recorder.commands.map(({ name, command }) =>
      JSON.stringify(command['pipeline'] ?? '').includes('$changeStream') ? 'watch' : name,
    );

  it(
    'should be shown once it has, also if the stream began just after it',
    async () => {
      const blog = await blogIn('live', stage.author, stage.editor);
      const path = `/blog/id/${blog._id}`;
      await untilServing(stage.app);
      await secondary.failPoint('stopReplProducer', 'alwaysOn');
      await stage.db
        .collection('blogs')
        .updateOne(
          { _id: new Types.ObjectId(blog._id) },
          { $unset: { live: 1 }, $set: { published: false, drafted: true } },
          { writeConcern: { w: 1 } },
        );
      recorder.clear();
      await primary.failPoint('failCommand', { times: 1 }, LOST);
      await until('another stream', () => {
        const sent = namesSent();
        return sent.includes('watch') && sent.lastIndexOf('getMore') > sent.indexOf('watch');
      });
      // It could still be rolled back, and is in no stream that begins now.
      expect((await stage.client.get(path)).status).toBe(200);
      await secondary.failPoint('stopReplProducer', 'off');
      await untilServing(stage.app);
      expect((await stage.client.get(path)).status).toBe(404);
    },
    TIMEOUT_MS,
  );

  it('should be in every read for the memory: majority, after what was written, not for ever', async () => {
    const blog = await blogIn('live', stage.author, stage.editor);
    // Whom nothing in memory is known of.
    const stranger = await account(stage);
    const { client } = await openSession(stage, stage.author);
    recorder.clear();
    for (const path of [
      `/blog/id/${blog._id}`,
      `/blog/slug/${blog.body.slug}`,
      '/blogs/latest?total=true',
      `/blogs/tag/${String(blog.body.tags[0])}`,
      `/blogs/similar/id/${blog._id}`,
      `/profile/id/${stranger._id}`,
    ]) {
      expect((await client.get(path)).status).toBe(200);
    }
    const reads = recorder.commands.filter(
      ({ name, collection }) => READ.test(name) && collection !== null,
    );
    expect(reads.map(({ collection }) => collection)).toEqual(
      expect.arrayContaining(['blogs', 'users', 'sessions']),
    );
    for (const { command } of reads) {
      expect(command).toMatchObject({
        readConcern: { level: 'majority', afterClusterTime: expect.anything() },
        maxTimeMS: 1_500,
      });
    }
  });
});
