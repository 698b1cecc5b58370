import mongoose from 'mongoose';

const DUPLICATE_KEY = 11_000;

/**
 * Whether a write violated a unique index (error code 11000).
 *
 * @param path a field of that index; without it, any unique index
 */
export function isDuplicateKey(error: unknown, path?: string): boolean {
  if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== DUPLICATE_KEY) {
    return false;
  }
  const pattern = error['keyPattern'] as Record<string, unknown> | undefined;
  return path === undefined || (pattern !== undefined && Object.hasOwn(pattern, path));
}

/**
 * Whether some statements of a bulk write failed at a unique index, and no statement failed
 * otherwise. The driver throws MongoBulkWriteError for a broken connection as well, but then
 * without any failed statement.
 */
export function isOnlyDuplicateKeys(error: unknown): error is mongoose.mongo.MongoBulkWriteError {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return false;
  const failed = [error.writeErrors].flat();
  return (
    failed.length > 0 &&
    failed.every(({ code }) => code === DUPLICATE_KEY) &&
    error.result.getWriteConcernError() === undefined
  );
}
