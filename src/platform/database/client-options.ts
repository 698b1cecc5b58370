import type { ConnectOptions } from 'mongoose';

/**
 * Name of the connection for background work. In a process that serves requests, the default connection
 * is for these requests.
 */
export const BACKGROUND = 'background';

/**
 * `maxTimeMS` of the operations of a request, in milliseconds. It is below the socket timeout, so that
 * MongoDB ends a slow operation with an error and the connection stays usable.
 */
export const OPERATION_MAX_MS = 1_500;

const COMMON = {
  // Mongoose creates no index and no collection at the start of a process, because migrations create the indexes.
  autoIndex: false,
  autoCreate: false,
  // Mongoose does not buffer operations while there is no connection. They fail after the timeouts of the client.
  bufferCommands: false,
  // An acknowledged write survives a failover.
  w: 'majority',
} as const satisfies ConnectOptions;

/**
 * The client for requests. With these timeouts an operation that cannot succeed fails within 4 s, the
 * driver's retry included, whatever the database does. The time of a whole request is limited by
 * src/platform/http/connection/deadline.ts. The driver's client-side operation timeout (CSOT) is not
 * used: with CSOT the driver may reuse a connection without checking that it is usable
 * (src/platform/config/dependencies.spec.ts).
 */
export const REQUEST_CLIENT = {
  ...COMMON,
  // How long a request waits for a usable server, in milliseconds.
  serverSelectionTimeoutMS: 1_500,
  // How long a request waits for a free connection of the pool, in milliseconds.
  waitQueueTimeoutMS: 1_000,
  // The driver marks a member as unknown after 2 s without a heartbeat: this timeout plus the interval
  // below. Operations on the member then fail.
  connectTimeoutMS: 1_500,
  heartbeatFrequencyMS: 500,
  // With `stream` the server reports a change of its state at once, not only at the next heartbeat.
  serverMonitoringMode: 'stream',
  // A connection that is silent for this time, in milliseconds, is closed, so that a late reply is not
  // read as the reply to the next operation.
  socketTimeoutMS: 2_000,
  // The write timeout is below the socket timeout, so that the server reports a write that is not
  // replicated in time.
  wtimeoutMS: OPERATION_MAX_MS,
} as const satisfies ConnectOptions;

/**
 * The clients of single members of a replica set, which answer public reads while there is no primary
 * (src/platform/caching/failover). A member that is down must not keep a request waiting, so each wait
 * ends within a second.
 */
export const MEMBER_CLIENT = {
  serverSelectionTimeoutMS: 700,
  waitQueueTimeoutMS: 700,
  connectTimeoutMS: 700,
  socketTimeoutMS: 1_000,
  // The driver need not retry a read on the same member, because the caller tries another member.
  retryReads: false,
  // Some connections are opened in advance, because a member whose primary has just failed is slow to
  // accept new ones.
  minPoolSize: 4,
  maxPoolSize: 20,
  // Polling is enough, because the state of the member matters only when a read uses the client.
  serverMonitoringMode: 'poll',
} as const satisfies ConnectOptions;

/**
 * The client for background work: change stream, migrations, index builds and scripts. Their
 * operations may be long or silent, so they have no time limit.
 */
export const BACKGROUND_CLIENT = {
  ...COMMON,
  // The timeout is short, because the operator waits for a script to report that there is no database.
  serverSelectionTimeoutMS: 5_000,
  // The driver marks a member as unknown after 7 s without a heartbeat (this timeout plus the interval
  // below), so that a change stream does not wait forever. A server that is busy with an index build
  // still sends heartbeats.
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
} as const satisfies ConnectOptions;
