import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds that a response may wait for a client that does not read. */
const STALLED_MS = 30_000;

/** Interval of the check for such responses, in milliseconds. */
const SWEEP_MS = 5_000;

/**
 * Destroys the connections of clients that do not read their response (slow read attack). Each such
 * connection would keep a response in memory.
 *
 * Node's `server.timeout` would do this too, but it restarts a timer with every read and write, which costs a
 * fifth of the time of a cached response. Here a periodic check sets a timeout only on sockets with unsent
 * bytes. Node restarts that timeout while the client reads, and removes it when the response is sent. Node
 * destroys the connection at the second timeout without progress. So two timeouts, and the interval after
 * which the check notices the socket, make up the limit.
 *
 * A client can restart the timeout by sending requests, but the request queue limits how many.
 * `headersTimeout`, `requestTimeout` and `keepAliveTimeout` handle slow senders and idle connections.
 */
export function registerSlowReaders(
  fastify: FastifyInstance,
  { stalledMs = STALLED_MS, sweepMs = SWEEP_MS } = {},
): void {
  const connections = new Set<Socket>();
  const timeoutMs = (stalledMs - sweepMs) / 2;
  fastify.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const timer = setInterval(() => {
    for (const socket of connections) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(timeoutMs);
    }
  }, sweepMs);
  timer.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
}
