import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/**
 * The members of the driver's connection class that are used here; the driver does not export the
 * class.
 */
interface DriverConnection {
  readonly socket: Socket;
  /** Whether `cleanup` was called. */
  readonly closed: boolean;
  /** Closes the connection. The operation that waits for a reply fails with `error`. */
  cleanup: (this: DriverConnection, error: Error) => void;
}

// Loads the driver that Mongoose uses, because another version may be installed as well.
const requireOfMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const { Connection } = requireOfMongoose('mongodb/lib/cmap/connection.js') as {
  Connection: { readonly prototype: DriverConnection };
};
const { cleanup } = Connection.prototype;

/**
 * Patches the driver so that an operation fails if its connection is closed while the operation is being
 * sent. The driver then retries the operation.
 *
 * Without the patch, the driver (7.8 and 7.9) waits for the socket's event `drain` or `error`, without a
 * time limit. A socket that is closed without an error, for example because `mongod` was killed, emits
 * neither event. The operation would never end, its connection would stay in use, and a background job would
 * keep its lock without working.
 */
export function failWritesToClosedConnections(): void {
  Connection.prototype.cleanup = function (error) {
    const wasOpen = !this.closed;
    cleanup.call(this, error);
    // An operation that is being sent listens for `drain`.
    if (wasOpen && this.socket.listenerCount('drain') > 0) this.socket.emit('error', error);
  };
}
