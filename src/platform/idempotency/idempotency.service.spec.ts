import mongoose, { Types, type Model } from 'mongoose';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../clock.js';
import { UnavailableError } from '../http/errors/api.errors.js';
import type { CreatedRecord } from './creation.js';
import { Idempotency, type CreationSteps } from './idempotency.service.js';
import type { RemovedRecord } from './removed-record.schema.js';

class GoneError extends Error {}

const creation = { _id: new Types.ObjectId(), requestHash: 'hash' };
const removedRecord = { ...creation, goneAt: new Date() };

/** What another attempt does after each query of this attempt. */
let interruptions: (() => void)[];
let stored: CreatedRecord | null;
let removed: RemovedRecord | null;

beforeEach(() => {
  [interruptions, stored, removed] = [[], null, null];
});

/** A collection of one record at most. After each query, the next interruption runs. */
function collection<Record>(content: () => Record | null, remove = (): void => undefined): object {
  const findOne = (): Promise<Record | null> => {
    const found = content();
    interruptions.shift()?.();
    return Promise.resolve(found);
  };
  return { collection: { findOne, deleteOne: () => Promise.resolve(remove()) } };
}

const records = collection(
  () => stored,
  () => (stored = null),
) as Model<CreatedRecord>;
const idempotency = new Idempotency(
  collection(() => removed) as unknown as Model<RemovedRecord>,
  new Clock(),
);

const once = (steps: Partial<CreationSteps<CreatedRecord>> = {}): Promise<CreatedRecord> =>
  idempotency.once<CreatedRecord>(creation, {
    records,
    insert: () => Promise.resolve((stored = { ...creation })),
    gone: () => new GoneError(),
    ...steps,
  });

describe('a creation with an Idempotency-Key', () => {
  const nothing = (): void => undefined;

  it.each([0, 1])(
    'should return the record of another attempt, which stores it and its RemovedRecord after query %i (from 0)',
    async (query) => {
      interruptions = Array.from({ length: query }, () => nothing);
      interruptions.push(() => {
        [stored, removed] = [{ ...creation }, removedRecord];
      });
      const insert = () => Promise.reject(duplicate());
      expect(await once({ insert, expires: true })).toEqual(creation);
      expect(stored).toEqual(creation);
    },
  );

  it('should delete the record that it inserts, if the record of another attempt was removed meanwhile', async () => {
    const insert = () => {
      removed = removedRecord;
      return Promise.resolve((stored = { ...creation }));
    };
    await expect(once({ insert })).rejects.toThrow(GoneError);
    expect(stored).toBeNull();
  });

  it('should return the inserted record when the answer of the database was lost', async () => {
    const insert = () => {
      stored = { ...creation };
      return Promise.reject(new Error('connection lost'));
    };
    expect(await once({ insert })).toEqual(creation);
  });

  it('should fail as unavailable while the record of another attempt is not replicated to a majority', async () => {
    // The other attempt stores its record before the last query, the only one with the read concern `local`.
    interruptions = [nothing, nothing, nothing, () => (stored = { ...creation })];
    const insert = () => Promise.reject(duplicate());
    await expect(once({ insert })).rejects.toThrow(UnavailableError);
  });

  it('should throw the error of the insert when nothing was stored', async () => {
    const insert = () => Promise.reject(new Error('no space'));
    await expect(once({ insert })).rejects.toThrow('no space');
  });
});

function duplicate(): Error {
  return new mongoose.mongo.MongoServerError({
    message: 'E11000',
    code: 11_000,
    keyPattern: { _id: 1 },
  });
}
