import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import mongoose from 'mongoose';
import { isOnlyDuplicateKeys } from '../../src/database/is-duplicate-key.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';

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

const NO_FAULT: Fault = { times: 0, data: {} };

describe('isOnlyDuplicateKeys', () => {
  let mongod: OwnMongo;
  let client: mongoose.mongo.MongoClient;

  beforeAll(async () => {
    mongod = await OwnMongo.create({ hasFailPoints: true });
    client = await mongoose.mongo.MongoClient.connect(mongod.uri('bulk'));
  }, TIMEOUT_MS);

  afterEach(() => mongod.failPoint('failCommand', 'off'));

  afterAll(async () => {
    await client.close();
    await mongod.remove();
  }, TIMEOUT_MS);

  /** @returns what is thrown by an insert of a record that is there and of one that is not */
  async function insert(missing: number, { times, data }: Fault = NO_FAULT): Promise<unknown> {
    const records = client.db().collection<{ _id: number }>('records');
    await records.updateOne({ _id: 1 }, { $setOnInsert: { _id: 1 } }, { upsert: true });
    await mongod.failPoint('failCommand', { times }, { failCommands: ['insert'], ...data });
    return records.insertMany([{ _id: 1 }, { _id: missing }], { ordered: false }).then(
      () => null,
      (error: unknown) => error,
    );
  }

  it('should be true if all that failed are duplicates, and the rest is made', async () => {
    expect(isOnlyDuplicateKeys(await insert(2))).toBe(true);
    expect(await client.db().collection('records').countDocuments()).toBe(2);
  });

  it.each(Object.keys(FAULTS) as (keyof typeof FAULTS)[])(
    'should be false for %s, although the driver throws the same class',
    async (name) => {
      const error = await insert(3, FAULTS[name]);
      expect(error).toBeInstanceOf(mongoose.mongo.MongoBulkWriteError);
      expect(isOnlyDuplicateKeys(error)).toBe(false);
    },
  );
});
