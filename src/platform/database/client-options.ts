import type { ConnectOptions } from 'mongoose';

/** Name of the connection for background work. The default connection is for requests. */
export const BACKGROUND = 'background';

/**
 * `maxTimeMS` of an operation of a request, in milliseconds. It is below the socket timeout, so
 * that a slow operation ends with an error of the server and the connection stays usable.
 */
export const OPERATION_MAX_MS = 1_500;

const COMMON = {
  // Migrations create the indexes, not the first process that starts.
  autoIndex: false,
  autoCreate: false,
  // Operations fail by the timeouts below instead of waiting in Mongoose for a reconnect.
  bufferCommands: false,
  // An acknowledged write survives a failover.
  w: 'majority',
} as const satisfies ConnectOptions;

/**
 * The client for requests. With these timeouts an operation fails within 4 s, the driver's retry
 * included, whatever the database does; src/platform/http/connection/deadline.ts limits the
 * request. The driver's own limit for a whole operation is not used: with it the driver may reuse a
 * connection without checking that it is usable (src/platform/config/dependencies.spec.ts).
 */
export const REQUEST_CLIENT = {
  ...COMMON,
  // How long a request waits for a usable server, in milliseconds.
  serverSelectionTimeoutMS: 1_500,
  // How long a request waits for a free connection of the pool, in milliseconds.
  waitQueueTimeoutMS: 1_000,
  // A member without a heartbeat for 2 s, the sum of this timeout and the interval, is marked
  // unknown: operations fail.
  connectTimeoutMS: 1_500,
  heartbeatFrequencyMS: 500,
  // The server pushes heartbeats, so that changes are noticed before the next poll.
  serverMonitoringMode: 'stream',
  // Destroys a silent connection, so that a late reply is not read as the reply to the next operation.
  socketTimeoutMS: 2_000,
  // The write timeout is below the socket timeout, so that the server reports a write that is not
  // replicated in time.
  wtimeoutMS: OPERATION_MAX_MS,
} as const satisfies ConnectOptions;

/**
 * The clients of single members of a replica set, which answer public reads while there is no primary
 * (src/platform/caching/failover). A member that is down must not keep a request waiting: each wait ends within a second.
 */
export const MEMBER_CLIENT = {
  serverSelectionTimeoutMS: 700,
  waitQueueTimeoutMS: 700,
  connectTimeoutMS: 700,
  socketTimeoutMS: 1_000,
  // The driver need not retry a read, because the read tries another member instead.
  retryReads: false,
  // Connections are open before they are needed: a member whose primary has just failed is slow to
  // accept new ones.
  minPoolSize: 4,
  maxPoolSize: 20,
  // The state of the member matters only when the connection is used.
  serverMonitoringMode: 'poll',
} as const satisfies ConnectOptions;

/**
 * The client for background work: change stream, migrations, index builds and scripts. Their
 * operations may be long or silent, so they have no limit.
 */
export const BACKGROUND_CLIENT = {
  ...COMMON,
  // The timeout is short, because a user waits for a script to report that there is no database.
  serverSelectionTimeoutMS: 5_000,
  // A member without a heartbeat for 7 s, the sum of this timeout and the interval, is marked
  // unknown, so that a change stream does not wait forever. A server that is busy with an index
  // build still sends heartbeats.
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
} as const satisfies ConnectOptions;
