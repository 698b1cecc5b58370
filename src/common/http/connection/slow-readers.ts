import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** What is written to a client may wait so long for it to read on. */
const STALLED_MS = 30_000;
const SWEEP_MS = 5_000;

/**
 * Cuts the connections of clients that ask and do not read: each of them holds an answer in memory.
 *
 * Node's own timeout of a connection (`server.timeout`) would do that, and start a timer anew with
 * everything that is read or written, which costs a hot read a fifth of its time. Here only those get
 * one that have an answer waiting when somebody looks; Node takes it off again when that is sent, and
 * starts it anew while the client goes on reading. Node destroys a connection when the timer has run out
 * twice without progress, so it is set to half of the time.
 *
 * What a client sends starts the timer anew as well, but not for ever: the request queue cuts who asks
 * for more than may wait.
 *
 * Slow senders are cut by `headersTimeout` and `requestTimeout`, idle connections by
 * `keepAliveTimeout`.
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
