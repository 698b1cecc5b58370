import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { CacheCoherenceService } from '../../../src/platform/caching/cache-coherence.service.js';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import { account, blogIn } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { openSession } from '../../support/sessions.js';
import { until } from '../../support/time/wait.js';
import { keepLease, untilServing } from './support/barriers.js';
import { openFixture, takeDown, type Fixture } from './support/fixture.js';

const TIMEOUT_MS = 120_000;

/** Fails the server's change stream with an error after which it cannot resume. */
const END_OF_STREAM = { failCommands: ['getMore'], errorCode: 286 };

/** Commands that read what may be cached. */
const READ = /^(find|aggregate|count)$/;

describe.each(['this process', 'another process'])('what %s has written', (writer) => {
  let primary: OwnMongo;
  let secondary: OwnMongo;
  let server: Fixture;

  beforeAll(async () => {
    [primary, secondary] = await OwnMongo.createPair({ votes: 0 });
    server = await openFixture({ uri: primary.uri('barrier') });
  }, TIMEOUT_MS);

  afterAll(async () => {
    jest.restoreAllMocks();
    // The test has killed the primary, which `close` needs to drop the database.
    await primary.start();
    await server.close();
    await Promise.all([primary.remove(), secondary.remove()]);
  }, TIMEOUT_MS);

  it(
    'should not be missing in a read from a secondary that lags, once there is no primary',
    async () => {
      // With the lease, the API key stays cached: its look-up would read from the primary only, and fail.
      keepLease(server.app);
      const changed = jest.spyOn(server.app.get(CacheCoherenceService), 'changed');
      const blog = await blogIn('live', server.author, server.editor);
      const path = `/blog/id/${blog._id}`;
      expect((await server.client.get(path)).status).toBe(200);

      const id = new Types.ObjectId(blog._id);
      // Once the secondary has the blog, it lacks only the write below.
      const replica = server.db.collection('blogs', { readPreference: 'secondary' });
      await until('the blog on the secondary', async () => {
        const published = { _id: id, 'live.title': blog.body.title };
        return (await replica.countDocuments(published)) === 1;
      });
      await secondary.failPoint('rsSyncApplyStop', 'alwaysOn');
      if (writer === 'this process') {
        const { status } = await server.editor.client.put(`/blog/editor/unpublish/id/${blog._id}`);
        expect(status).toBe(200);
      } else {
        await until('the report of the publication', () =>
          isReported(changed.mock.calls, blog._id, 'live'),
        );
        await takeDown(server.db, blog._id);
        await until('the report of the write', () =>
          isReported(changed.mock.calls, blog._id, 'drafted', 'live'),
        );
      }
      await primary.stop('SIGKILL');

      let answered: number | null = null;
      const read = server.client.get(path).then((answer) => (answered = answer.status));
      const waiting = { 'command.find': 'blogs', 'command.$db': 'barrier' };
      await until(
        'a read that waits, or its answer',
        async () => answered !== null || (await secondary.countOperations(waiting)) > 0,
      );
      expect(answered).toBeNull();
      await secondary.failPoint('rsSyncApplyStop', 'off');
      // The answer is 503 if the secondary had not fetched the write before the primary ended.
      expect([404, 503]).toContain(await read);
    },
    TIMEOUT_MS,
  );
});

/** Whether the stream has reported an update of all these fields of a blog. */
function isReported(
  calls: readonly Parameters<CacheCoherenceService['changed']>[],
  id: string,
  ...paths: readonly string[]
): boolean {
  return calls.some(
    ([event]) => event?.id === id && paths.every((path) => event.paths.includes(path)),
  );
}

describe('a change that no majority has yet', () => {
  let primary: OwnMongo;
  let secondary: OwnMongo;
  let server: Fixture;
  let recorder: CommandRecorder;

  beforeAll(async () => {
    [primary, secondary] = await OwnMongo.createPair({ votes: 1 });
    server = await openFixture({ uri: primary.uri('barrier') });
    recorder = new CommandRecorder(server);
  }, TIMEOUT_MS);

  afterEach(async () => {
    await secondary.failPoint('stopReplProducer', 'off');
  });

  afterAll(async () => {
    recorder.stop();
    await server.close();
    await Promise.all([primary.remove(), secondary.remove()]);
  }, TIMEOUT_MS);

  const namesSent = (): string[] =>
    recorder.commands.map(({ name, command }) =>
      JSON.stringify(command['pipeline'] ?? '').includes('$changeStream') ? 'watch' : name,
    );

  it(
    'should be shown once a majority has it, even if the change stream was opened after it',
    async () => {
      const blog = await blogIn('live', server.author, server.editor);
      const path = `/blog/id/${blog._id}`;
      await untilServing(server.app);
      await secondary.failPoint('stopReplProducer', 'alwaysOn');
      await takeDown(server.db, blog._id, { writeConcern: { w: 1 } });
      recorder.clear();
      await primary.failPoint('failCommand', { times: 1 }, END_OF_STREAM);
      await until('another stream', () => {
        const sent = namesSent();
        return sent.includes('watch') && sent.lastIndexOf('getMore') > sent.indexOf('watch');
      });
      // The write could still be rolled back, and the new stream does not report it.
      expect((await server.client.get(path)).status).toBe(200);
      await secondary.failPoint('stopReplProducer', 'off');
      await untilServing(server.app);
      expect((await server.client.get(path)).status).toBe(404);
    },
    TIMEOUT_MS,
  );

  it('should be waited for at most 1.5 s: cacheable reads have a cluster time and a time limit', async () => {
    const blog = await blogIn('live', server.author, server.editor);
    // Nothing of this account is cached.
    const otherAccount = await account(server);
    const { client } = await openSession(server, server.author);
    recorder.clear();
    for (const path of [
      `/blog/id/${blog._id}`,
      `/blog/slug/${blog.body.slug}`,
      '/blogs/latest?total=true',
      `/blogs/tag/${String(blog.body.tags[0])}`,
      `/blogs/similar/id/${blog._id}`,
      `/profile/id/${otherAccount._id}`,
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
        readConcern: {
          level: expect.stringMatching(/^(majority|snapshot)$/),
          afterClusterTime: expect.anything(),
        },
        maxTimeMS: 1_500,
      });
    }
  });
});
