import mongoose from 'mongoose';

const {
  MongoDriverError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} = mongoose.mongo;

const UNAVAILABLE_ERRORS = [
  // Includes its subclasses for a socket timeout and a cleared connection pool.
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  mongoose.Error.MongooseServerSelectionError,
];

/** Names of errors of the connection pool, whose classes the driver does not export. */
const POOL_ERRORS: ReadonlySet<string> = new Set([
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError', // no connection became free in time
]);

/**
 * Codes of temporary MongoDB errors: the server is busy, shuts down or is no longer primary. The driver
 * has already retried the operation if it can be retried.
 */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  50, // MaxTimeMSExpired: too slow, or a causal read whose member lags behind
  64, // WriteConcernTimeout: not replicated to a majority in time
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** Whether the error means that the database is unavailable and a repeated request may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof MongoServerError) return UNAVAILABLE_CODES.has(error.code);
  if (error instanceof MongoDriverError && POOL_ERRORS.has(error.name)) return true;
  return UNAVAILABLE_ERRORS.some((type) => error instanceof type);
}
