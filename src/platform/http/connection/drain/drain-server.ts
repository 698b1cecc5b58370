import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeLingering } from '../../errors/lingering-close.js';
import type { QueuedServer } from '../queued-server.js';

/**
 * Milliseconds in which a connection without a request may still send one. A client may not know of
 * the stop, and a load balancer uses most of the connections that it keeps open within this time:
 * they then end with an answer, and no request is lost.
 */
const GRACE_MS = 2_000;
/**
 * Limit of the drain in milliseconds: the limit of a request, and a few seconds in which its body
 * may arrive.
 */
const DEADLINE_MS = 8_000;
/**
 * Longest turn of the event loop, in milliseconds, that counts as quiet: hardly anything happens in
 * it.
 */
const QUIET_TURN_MS = 0.5;
/**
 * Milliseconds for which it looks for a quiet turn in which no connection waits. Then any such turn
 * will do, for as long again; then it gives up.
 */
const BUSY_MS = 100;
const CROWDED_MS = 500;

export interface DrainOptions {
  readonly graceMs?: number;
  readonly deadlineMs?: number;
  /**
   * Takes over each connection that has no request when the drain begins, so that none of them is
   * closed.
   */
  readonly handOver?: ((connection: Socket) => void) | undefined;
}

/**
 * Stops listening and cuts no request: each connection is closed after the answer to its last request,
 * or when it has had none for the grace. `server.close()` of Node and Fastify's `close` destroy the
 * connections that have no request at that moment, while one may be on its way.
 *
 * @returns how many connections were cut because they were still open at the deadline
 */
export async function drainServer(
  server: QueuedServer,
  { graceMs = GRACE_MS, deadlineMs = DEADLINE_MS, handOver }: DrainOptions = {},
): Promise<number> {
  if (!server.listening) return 0;
  await untilNoneWaits(server);
  const closed = once(server, 'close');
  // Node's own `close` is called, because the override of the class above also closes connections.
  Server.prototype.close.call(server);
  // Connections are closed only after listening has stopped: a client that must connect again must
  // be refused at once, instead of waiting in vain.
  server.closeAfterResponses();
  if (handOver) handOverUnused(server, handOver);
  closeUnused(server, graceMs);
  let cut = 0;
  const deadline = setTimeout(() => {
    cut = server.sockets.size;
    server.closeAllConnections();
  }, deadlineMs);
  await closed;
  clearTimeout(deadline);
  return cut;
}

/**
 * The operating system resets the connections that a closed socket has not accepted yet. Node accepts one
 * in each turn of the event loop, so a turn without one shows that none waits; if it was short, none has
 * come since.
 */
async function untilNoneWaits(server: QueuedServer): Promise<void> {
  await nextTurn();
  const startedAt = performance.now();
  for (let turnedAt = startedAt; turnedAt < startedAt + CROWDED_MS;) {
    const { accepted } = server;
    const turnStartedAt = turnedAt;
    await nextTurn();
    turnedAt = performance.now();
    const isQuiet = turnedAt - turnStartedAt < QUIET_TURN_MS;
    const isBusy = turnedAt > startedAt + BUSY_MS;
    if (server.accepted === accepted && (isQuiet || isBusy)) return;
  }
}

function handOverUnused(server: QueuedServer, handOver: (connection: Socket) => void): void {
  for (const socket of unusedConnections(server)) {
    // The socket no longer belongs to this server, and must not be closed by its timeouts.
    server.sockets.delete(socket);
    socket.setTimeout(0);
    handOver(socket);
  }
}

/**
 * The connections that wait for a next request: the whole answer to the last one was sent, and no
 * byte has arrived since. Only Node's parser knows the end of a request, and it tells only by
 * destroying the connections.
 */
function unusedConnections(server: QueuedServer): readonly Socket[] {
  const sockets = [...server.sockets];
  const unused = sockets.filter(({ bytesRead }) => bytesRead === 0);
  for (const socket of sockets) {
    socket.destroy = () => {
      unused.push(socket);
      return socket;
    };
  }
  server.closeIdleConnections();
  for (const socket of sockets) Reflect.deleteProperty(socket, 'destroy');
  return unused.filter(({ writable, writableLength }) => writable && writableLength === 0);
}

/** Closes each connection that sends no request within the grace. */
function closeUnused(server: QueuedServer, graceMs: number): void {
  // Node sets this timeout for the time between two requests, and clears it when a request arrives.
  server.keepAliveTimeout = graceMs;
  server.keepAliveTimeoutBuffer = 0;
  const isIdle = (socket: Socket): boolean => Boolean(socket.timeout) && !socket.writableLength;
  for (const socket of server.sockets) if (isIdle(socket)) socket.setTimeout(graceMs);
  server.on('timeout', (socket: Socket) => closeIf(socket, () => Boolean(socket.timeout)));
  // Node has no such timeout before the first request of a connection.
  setTimeout(() => {
    for (const socket of server.sockets) closeIf(socket, () => socket.bytesRead === 0);
  }, graceMs).unref();
}

/**
 * Closes the socket after its pending bytes were read: a request may have arrived before the timer
 * was due.
 */
function closeIf(socket: Socket, isUnused: () => boolean): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead && isUnused()) closeLingering(socket);
  });
}
