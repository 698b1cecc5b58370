import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { isDatabaseUnavailable } from '../../../src/platform/http/errors/is-database-unavailable.js';
import { isOnlyDuplicateKeys } from '../../../src/platform/database/is-duplicate-key.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';

const TIMEOUT_MS = 60_000;

/** What the driver is told; `times` is enough for its retry. */
const FAULTS = {
  'a closed connection': { times: 2, data: { closeConnection: true } },
  'a primary that has stepped down': { times: 2, data: { errorCode: 10_107 } },
  'a time limit': { times: 1, data: { errorCode: 50 } },
  'a write that is not replicated in time': {
    times: 1,
    data: { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
  },
} as const satisfies Record<string, Fault>;

interface Fault {
  readonly times: number;
  readonly data: object;
}

describe('isOnlyDuplicateKeys and isDatabaseUnavailable', () => {
  let mongod: OwnMongo;
  let client: mongoose.mongo.MongoClient;

  beforeAll(async () => {
    mongod = await OwnMongo.create({ hasFailPoints: true });
    client = await mongoose.mongo.MongoClient.connect(mongod.uri('bulk'), {
      serverSelectionTimeoutMS: 500,
    });
    await client.db().collection<{ _id: number }>('records').insertOne({ _id: 1 });
  }, TIMEOUT_MS);

  afterEach(() => mongod.failPoint('failCommand', 'off'));

  afterAll(async () => {
    await client.close();
    await mongod.remove();
  }, TIMEOUT_MS);

  /** @returns what is thrown by an insert of a record that is there and of one that is not */
  async function insert(missing: number, fault: Fault | null): Promise<unknown> {
    const records = client.db().collection<{ _id: number }>('records');
    if (fault) {
      const { times, data } = fault;
      await mongod.failPoint('failCommand', { times }, { failCommands: ['insert'], ...data });
    }
    return records.insertMany([{ _id: 1 }, { _id: missing }], { ordered: false }).then(
      () => null,
      (error: unknown) => error,
    );
  }

  it('should be true if all that failed are duplicates, and the rest is made', async () => {
    expect(isOnlyDuplicateKeys(await insert(2, null))).toBe(true);
    expect(await client.db().collection('records').countDocuments()).toBe(2);
  });

  it.each(Object.keys(FAULTS) as (keyof typeof FAULTS)[])(
    'should be false for %s, although the driver throws the same class',
    async (name) => {
      const error = await insert(3, FAULTS[name]);
      expect(error).toBeInstanceOf(mongoose.mongo.MongoBulkWriteError);
      expect(isOnlyDuplicateKeys(error)).toBe(false);
      expect(isDatabaseUnavailable(error)).toBe(true);
    },
  );

  it(
    'should be false when there is no primary',
    async () => {
      await mongod.stop('SIGKILL');
      // The first one finds its connection closed.
      await insert(4, null);
      const error = await insert(4, null);
      await mongod.start();
      expect(error).toBeInstanceOf(mongoose.mongo.MongoBulkWriteError);
      expect(isOnlyDuplicateKeys(error)).toBe(false);
      expect(isDatabaseUnavailable(error)).toBe(true);
    },
    TIMEOUT_MS,
  );
});
