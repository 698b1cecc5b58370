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
  /** Closes the connection and fails the operation that waits for a reply with this error. */
  cleanup: (this: DriverConnection, error: Error) => void;
}

// Loads the driver that Mongoose uses: another version may be installed beside it.
const requireOfMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const { Connection } = requireOfMongoose('mongodb/lib/cmap/connection.js') as {
  Connection: { readonly prototype: DriverConnection };
};
const { cleanup } = Connection.prototype;

/**
 * Fails an operation whose connection is closed while it is sent, so that the driver tries it
 * again.
 *
 * The driver (7.8 and 7.9) then waits for `drain` or `error` of the socket, without a limit. A
 * socket that was closed without an error, as by a killed `mongod`, emits neither: the operation
 * never ended, its connection stayed in use, and a background job kept its lock without working.
 */
export function failWritesToClosedConnections(): void {
  Connection.prototype.cleanup = function (error) {
    const isOpen = !this.closed;
    cleanup.call(this, error);
    if (isOpen && this.socket.listenerCount('drain') > 0) this.socket.emit('error', error);
  };
}
