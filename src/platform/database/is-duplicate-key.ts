import mongoose from 'mongoose';

const DUPLICATE_KEY = 11_000;

/**
 * Whether an error says that a write violated a unique index (error code 11000).
 *
 * @param path a field of the index; if it is left out, any unique index counts
 */
export function isDuplicateKey(error: unknown, path?: string): boolean {
  if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== DUPLICATE_KEY) {
    return false;
  }
  const pattern = error['keyPattern'] as Record<string, unknown> | undefined;
  return path === undefined || (pattern !== undefined && Object.hasOwn(pattern, path));
}

/** The value of a field that a unique index refused; of a list, the item that another record has. */
export function duplicateValue(error: unknown, path: string): unknown {
  return (error as { readonly keyValue?: Record<string, unknown> }).keyValue?.[path];
}

/**
 * Whether a bulk write failed only because statements violated unique indexes. The driver also throws
 * MongoBulkWriteError when a connection breaks, but the error then lists no failed statement.
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
