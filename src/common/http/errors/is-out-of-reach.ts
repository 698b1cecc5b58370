import mongoose from 'mongoose';

const {
  MongoDriverError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} = mongoose.mongo;

const OUT_OF_REACH = [
  // A timeout of a socket and a pool that was cleared are network errors, too.
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  mongoose.Error.MongooseServerSelectionError,
];

/** Errors of the driver's pool of connections, whose classes it does not export. */
const POOL_ERRORS: ReadonlySet<string> = new Set([
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError', // No connection was free in time.
]);

/**
 * What a server answers while it shuts down or hands over to another primary, and what is left of
 * it once the driver has tried again (MongoDB's retryable reads, "not writable primary" and "node
 * is recovering").
 */
const CHANGING_STATE: ReadonlySet<unknown> = new Set([
  50, // MaxTimeMSExpired: too slow, or a member that lags (causal-read-barrier.ts)
  64, // WriteConcernTimeout: no majority has it yet
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** Whether the database could not be asked for now: the same request may succeed in a moment. */
export function isOutOfReach(error: unknown): boolean {
  if (error instanceof MongoServerError) return CHANGING_STATE.has(error.code);
  if (error instanceof MongoDriverError && POOL_ERRORS.has(error.name)) return true;
  return OUT_OF_REACH.some((type) => error instanceof type);
}
