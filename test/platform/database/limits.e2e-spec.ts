import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getConnectionToken } from '@nestjs/mongoose';
import mongoose, { Types, type Connection, type mongo } from 'mongoose';
import { isDatabaseUnavailable } from '../../../src/platform/http/errors/is-database-unavailable.js';
import { isOnlyDuplicateKeys } from '../../../src/platform/database/is-duplicate-key.js';
import { CacheCoherenceService } from '../../../src/platform/caching/cache-coherence.service.js';
import { keepLease } from '../caching/support/barriers.js';
import { openFixture, type Fixture } from '../caching/support/fixture.js';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import { blogBody, blogIn, PASSWORD } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { SERVER_NAME } from '../../support/query-plans/profiler.js';
import { until } from '../../support/time/wait.js';

const TIMEOUT_MS = 120_000;
const { MongoBulkWriteError } = mongoose.mongo;

const OUTCOME_UNKNOWN = 'and it may have happened: read before you repeat it';

describe('a database', () => {
  let mongod: OwnMongo;
  let oneConnection: Fixture;
  let server: Fixture;

  beforeAll(async () => {
    mongod = await OwnMongo.create({ hasFailPoints: true });
    // With one connection, a late reply would be read as the reply to the next command.
    oneConnection = await openFixture({ uri: `${mongod.uri('limits')}&maxPoolSize=1` });
    server = await openFixture({ uri: mongod.uri('limits') });
  }, TIMEOUT_MS);

  afterEach(async () => {
    jest.restoreAllMocks();
    await mongod.failPoint('failCommand', 'off');
  });

  afterAll(async () => {
    await oneConnection.close();
    await server.close();
    await mongod.remove();
  }, TIMEOUT_MS);

  /** @param mode the mode of the fail point, which says how many commands are delayed */
  const delay = (commands: readonly string[], ms: number, mode: string | object) =>
    mongod.failPoint('failCommand', mode, {
      failCommands: commands,
      appName: SERVER_NAME,
      blockConnection: true,
      blockTimeMS: ms,
    });

  it(
    'should have its connection destroyed if it responds late, so that no command gets the reply to another command',
    async () => {
      keepLease(oneConnection.app);
      const late = await blogIn('live', oneConnection.author, oneConnection.editor);
      const others = [];
      for (let n = 0; n < 5; n++)
        others.push(await blogIn('live', oneConnection.author, oneConnection.editor));
      const closed: mongo.ConnectionClosedEvent[] = [];
      const client = oneConnection.app.get<Connection>(getConnectionToken()).getClient();
      client.on('connectionClosed', (event) => closed.push(event));
      await delay(['find'], 3_500, { times: 1 });
      const answer = oneConnection.client.get<{ _id: string }>(`/blog/id/${late._id}`);
      await until('the connection to be destroyed', () => closed.length > 0);
      expect(closed.map(({ reason }) => reason)).toContain('error');
      // The late reply would arrive before this end.
      const end = performance.now() + 2_000;
      for (let n = 0; performance.now() < end; n = (n + 1) % others.length) {
        oneConnection.invalidateCaches();
        const id = others[n]?._id ?? '';
        const { status, body } = await oneConnection.client.get<{ _id: string }>(`/blog/id/${id}`);
        expect([status, body.data?._id]).toEqual([200, id]);
      }
      // The driver has retried.
      const { status, body } = await answer;
      expect([status, body.data?._id]).toEqual([200, late._id]);
    },
    TIMEOUT_MS,
  );

  it(
    'should not delay a response beyond 6 s, however late it responds and however many commands the request still needs',
    async () => {
      const draft = await blogIn('draft', server.author, server.editor);
      const { title } = blogBody();
      await delay(['find', 'aggregate', 'findAndModify', 'update', 'insert'], 1_400, 'alwaysOn');
      server.invalidateCaches();
      const { email, client } = server.author;
      const requests = [
        client.request('PUT', `/blog/author/id/${draft._id}`, { body: { title } }),
        server.client.request('POST', '/auth/signin/basic', {
          body: { email, password: PASSWORD },
        }),
      ];
      const started = performance.now();
      for (const { status, body, headers } of await Promise.all(requests)) {
        expect(status).toBe(503);
        expect(body.message).toBe(`the request took too long, ${OUTCOME_UNKNOWN}`);
        expect(body.code).toBe('10002');
        expect(headers.get('retry-after')).toBe('1');
      }
      expect(performance.now() - started).toBeLessThan(6_000);
      await mongod.failPoint('failCommand', 'off');
      const stored = () =>
        server.db.collection('blogs').findOne({ _id: new Types.ObjectId(draft._id) });
      await until('the edit', async () => {
        const blog = await stored();
        return blog?.['rev'] === 2;
      });
      expect((await client.get('/profile/mine')).status).toBe(200);
    },
    TIMEOUT_MS,
  );

  describe('isOnlyDuplicateKeys and isDatabaseUnavailable', () => {
    /** What the fail point answers to the driver. `times` includes the driver's retry. */
    const FAULTS: Readonly<Record<string, readonly [times: number, data: object]>> = {
      'a primary that has stepped down': [2, { errorCode: 10_107 }],
      'a time limit': [1, { errorCode: 50 }],
      'a write that is not replicated in time': [
        1,
        { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
      ],
    };

    /** Inserts a record whose id is taken, and one with `newId`. @returns the error, or null */
    async function insert(newId: number): Promise<unknown> {
      const records = server.db.collection<{ _id: number }>('records');
      await records.updateOne({ _id: 1 }, { $set: {} }, { upsert: true });
      return records.insertMany([{ _id: 1 }, { _id: newId }], { ordered: false }).then(
        () => null,
        (error: unknown) => error,
      );
    }

    it('should be true and false if only the duplicate failed and the new record was inserted', async () => {
      const error = await insert(2);
      expect([isOnlyDuplicateKeys(error), isDatabaseUnavailable(error)]).toEqual([true, false]);
      expect(await server.db.collection('records').countDocuments()).toBe(2);
    });

    it.each(Object.entries(FAULTS))(
      'should be false and true for %s, although the driver throws an error of the same class',
      async (_name, [times, data]) => {
        await mongod.failPoint('failCommand', { times }, { failCommands: ['insert'], ...data });
        const error = await insert(3);
        expect(error).toBeInstanceOf(MongoBulkWriteError);
        expect([isOnlyDuplicateKeys(error), isDatabaseUnavailable(error)]).toEqual([false, true]);
      },
    );
  });

  it('should be sent a cluster time not before the afterClusterTime of a read, even if only the change stream has reported it', async () => {
    const blog = await blogIn('live', server.author, server.editor);
    const recorder = new CommandRecorder(server);
    const coherence = server.app.get(CacheCoherenceService);
    await until('the lease', () => coherence.isServing());
    const changed = jest.spyOn(coherence, 'changed');
    // No heartbeat is sent: its reply would advance the operation time of the requests' client.
    keepLease(server.app);
    await server.client.get(`/blog/id/${blog._id}`);
    changed.mockClear();
    await server.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(blog._id) }, { $set: { score: 0.5 } });
    await until('the event', () => changed.mock.calls.length > 0);
    recorder.clear();
    expect((await server.client.get(`/blog/id/${blog._id}`)).status).toBe(200);
    recorder.stop();
    const { command } = recorder.commands.find(({ name }) => name === 'find') ?? {};
    const after = command?.['readConcern'].afterClusterTime as mongo.Timestamp;
    const known = command?.['$clusterTime'].clusterTime as mongo.Timestamp;
    expect(after.greaterThan(known)).toBe(false);
  });
});
