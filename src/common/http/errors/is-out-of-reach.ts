import mongoose from 'mongoose';

const { MongoNetworkError, MongoServerError, MongoServerSelectionError, MongoNotConnectedError } =
  mongoose.mongo;

const OUT_OF_REACH = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  mongoose.Error.MongooseServerSelectionError,
];

/**
 * What a server answers while it shuts down or hands over to another primary, and what is left of
 * it once the driver has tried again (MongoDB's retryable reads, "not writable primary" and "node
 * is recovering").
 */
const CHANGING_STATE: ReadonlySet<unknown> = new Set([
  50, // MaxTimeMSExpired: a read that waited for what its member has not got (src/memory/fence.ts)
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
  return OUT_OF_REACH.some((type) => error instanceof type);
}
