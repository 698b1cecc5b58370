import mongoose from 'mongoose';

const {
  MongoBulkWriteError,
  MongoDriverError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} = mongoose.mongo;

const UNAVAILABLE_ERRORS = [
  // MongoNetworkError includes its subclasses for a socket timeout and a cleared connection pool.
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
  6, // HostUnreachable: reported by `mongos`, or by one member about another
  7, // HostNotFound
  50, // MaxTimeMSExpired: too slow, or a causal read whose member lags behind
  64, // WriteConcernTimeout: not replicated to a majority in time
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern: too few members for a majority
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  246, // SnapshotUnavailable: a read while a collection or an index is being made
  262, // ExceededTimeLimit
  9_001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
]);

/** Error labels by which MongoDB or the driver says that a repetition may succeed. */
const UNAVAILABLE_LABELS = ['RetryableWriteError', 'TransientTransactionError'];

/**
 * The errors of Node that the driver passes on when a connection breaks while a command is sent: the failed
 * system calls, by error code.
 */
const BROKEN_CONNECTION: Readonly<Record<string, readonly unknown[]>> = {
  ECONNRESET: ['read', 'write'],
  // Node names no system call if the other side had already ended the connection. Nothing was written then.
  EPIPE: ['write', undefined],
};

/** Whether the error means that the database is unavailable and a repeated request may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) {
    const cause: unknown = error.errorResponse;
    // The bulk write failed with an error of the driver instead of a response of MongoDB, so the driver's
    // error decides.
    if (cause instanceof Error) return isDatabaseUnavailable(cause);
  }
  if (
    error instanceof MongoError &&
    UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label))
  ) {
    return true;
  }
  if (error instanceof MongoServerError) return UNAVAILABLE_CODES.has(error.code);
  if (error instanceof MongoDriverError && POOL_ERRORS.has(error.name)) return true;
  if (UNAVAILABLE_ERRORS.some((type) => error instanceof type)) return true;
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return BROKEN_CONNECTION[code]?.includes(syscall) ?? false;
}
