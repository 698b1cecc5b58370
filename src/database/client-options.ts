import type { ConnectOptions } from 'mongoose';

/** Injection name of the connection that background work uses; the default one is for requests. */
export const BACKGROUND = 'background';

/**
 * What one operation of a request may take in the database, in milliseconds. Less than the socket
 * timeout, so that a slow operation ends with an answer and its connection is kept.
 */
export const OPERATION_MAX_MS = 1_500;

const COMMON = {
  // Indexes come with the migrations, not with whichever process starts first.
  autoIndex: false,
  autoCreate: false,
  // An operation must fail by the limits below, not wait in Mongoose while the client reconnects.
  bufferCommands: false,
  // What was acknowledged survives a change of the primary.
  w: 'majority',
} as const satisfies ConnectOptions;

/**
 * The client that requests use. Its limits are such that one operation fails within 4 s however the
 * database hangs, the driver's one repetition of it included; src/common/http/connection/deadline.ts bounds the
 * whole request. The driver has one limit for all of an operation as well, but with it may skip its
 * own checks of when a connection can be used again (see src/config/dependencies.spec.ts).
 */
export const REQUEST_CLIENT = {
  ...COMMON,
  // Without a server to ask for so long, a request waits in vain.
  serverSelectionTimeoutMS: 1_500,
  // When all connections are busy for so long, more requests would only make it longer.
  waitQueueTimeoutMS: 1_000,
  // A member that answers no heartbeat for 2 s, the sum of these two, has its operations cut off.
  connectTimeoutMS: 1_500,
  heartbeatFrequencyMS: 500,
  // The member sends its heartbeats by itself; with polling each one would wait for the next poll.
  serverMonitoringMode: 'stream',
  // A connection that is silent for so long is destroyed: no late reply is taken for another one.
  socketTimeoutMS: 2_000,
  // Less than the socket timeout: the reply then says that the write is done but not yet safe.
  wtimeoutMS: OPERATION_MAX_MS,
} as const satisfies ConnectOptions;

/**
 * The client of what nobody waits for: the change stream, migrations, index builds and scripts. They
 * run long, or are silent for long, and there is no limit to one operation.
 */
export const BACKGROUND_CLIENT = {
  ...COMMON,
  // A script that somebody is waiting for says soon that there is no database.
  serverSelectionTimeoutMS: 5_000,
  // A member that answers no heartbeat for 7 s, the sum of these two, has its operations cut off, so
  // that no change stream waits for ever; one that is merely busy with an index build answers.
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
} as const satisfies ConnectOptions;
