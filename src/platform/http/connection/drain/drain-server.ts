import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeLingering } from '../../errors/lingering-close.js';
import type { QueuedServer } from '../queued-server.js';

/**
 * Milliseconds for which an idle connection stays open, because its client may not know of the stop and may
 * still send a request. A load balancer uses most of its open connections within this time. Each connection that
 * it uses closes after the answer, and no request is lost.
 */
const GRACE_MS = 2_000;
/**
 * Limit of the drain in milliseconds: the 5 s deadline of a request, and 3 s in which its body may arrive.
 */
const DEADLINE_MS = 8_000;
/**
 * Longest turn of the event loop, in milliseconds, that counts as quiet, which means that hardly any callback
 * ran in it.
 */
const QUIET_TURN_MS = 0.5;
/**
 * Milliseconds after which `untilAllAccepted` takes the process for busy, and no longer requires a quiet turn.
 */
const BUSY_MS = 100;
/** Milliseconds after which `untilAllAccepted` gives up, because connections arrive in every turn. */
const CROWDED_MS = 500;

export interface DrainOptions {
  readonly graceMs?: number;
  readonly deadlineMs?: number;
  /**
   * Takes over each connection that has no request when the drain begins. These connections are not closed.
   */
  readonly handOver?: ((connection: Socket) => void) | undefined;
}

/**
 * Stops listening. Each connection is closed after the answer to its last request, or when no request has
 * arrived on it for `graceMs`. Node's `server.close()` and Fastify's `close` would destroy idle connections
 * at once, although a request may be on its way.
 *
 * @returns how many connections were cut because they were still open at the deadline
 */
export async function drainServer(
  server: QueuedServer,
  { graceMs = GRACE_MS, deadlineMs = DEADLINE_MS, handOver }: DrainOptions = {},
): Promise<number> {
  if (!server.listening) return 0;
  await untilAllAccepted(server);
  const closed = once(server, 'close');
  // This is `close` of `net.Server`, because the override in `http.Server` also closes idle connections.
  Server.prototype.close.call(server);
  // Connections are closed only after listening has stopped, so that a client that connects again is refused
  // at once instead of waiting in vain.
  server.closeAfterResponses();
  if (handOver) handOverIdle(server, handOver);
  closeUnused(server, graceMs);
  let cutCount = 0;
  const deadline = setTimeout(() => {
    cutCount = server.sockets.size;
    server.closeAllConnections();
  }, deadlineMs);
  await closed;
  clearTimeout(deadline);
  return cutCount;
}

/**
 * Waits until no connection waits to be accepted, because the operating system resets those connections when
 * the listening socket is closed. Node accepts one connection in each turn of the event loop. So if a turn
 * has accepted none, none was waiting; and if that turn was short, none has arrived since.
 */
async function untilAllAccepted(server: QueuedServer): Promise<void> {
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

function handOverIdle(server: QueuedServer, handOver: (connection: Socket) => void): void {
  for (const socket of idleConnections(server)) {
    // The socket no longer belongs to this server, and must not be closed by its timeouts.
    server.sockets.delete(socket);
    socket.setTimeout(0);
    handOver(socket);
  }
}

/**
 * Returns the idle connections: no byte has ever arrived, or the whole answer to the last request was sent
 * and no byte has arrived since. Only Node's HTTP parser knows whether a connection is idle, and Node offers
 * only `closeIdleConnections`, which destroys such connections. So `destroy` is replaced during that call.
 */
function idleConnections(server: QueuedServer): readonly Socket[] {
  const sockets = [...server.sockets];
  const idle = sockets.filter(({ bytesRead }) => bytesRead === 0);
  for (const socket of sockets) {
    socket.destroy = () => {
      idle.push(socket);
      return socket;
    };
  }
  server.closeIdleConnections();
  for (const socket of sockets) Reflect.deleteProperty(socket, 'destroy');
  return idle.filter(({ writable, writableLength }) => writable && writableLength === 0);
}

/** Closes each connection on which no request arrives within `graceMs`. */
function closeUnused(server: QueuedServer, graceMs: number): void {
  // Node sets this timeout for the time between two requests, and clears it when a request arrives.
  server.keepAliveTimeout = graceMs;
  server.keepAliveTimeoutBuffer = 0;
  const isIdle = (socket: Socket): boolean => Boolean(socket.timeout) && !socket.writableLength;
  for (const socket of server.sockets) if (isIdle(socket)) socket.setTimeout(graceMs);
  server.on('timeout', (socket: Socket) => closeIfUnused(socket, () => Boolean(socket.timeout)));
  // Node has no such timeout before the first request of a connection.
  setTimeout(() => {
    for (const socket of server.sockets) closeIfUnused(socket, () => socket.bytesRead === 0);
  }, graceMs).unref();
}

/**
 * Closes the socket if it is still unused after its pending bytes were read, because a request may have
 * arrived before the timer fired.
 */
function closeIfUnused(socket: Socket, isUnused: () => boolean): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead && isUnused()) closeLingering(socket);
  });
}
