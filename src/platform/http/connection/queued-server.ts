import { IncomingMessage, Server, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../../config/env.js';
import { QueuedResponse, RequestQueue } from './request-queue.js';

/** Milliseconds that a connection may be idle between two requests. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/**
 * A request that claims to ask for an upgrade once its connection is destroyed, because Node's parser stops
 * at an upgrade. Otherwise Node would parse the remaining bytes of the last read into hundreds of requests,
 * and abort each of them.
 */
class ParsedRequest extends IncomingMessage {
  declare private asksForUpgrade: unknown;

  get upgrade(): unknown {
    return this.socket.destroyed || this.asksForUpgrade;
  }

  /**
   * Node also calls this setter in the constructor of IncomingMessage. `declare` keeps the class from resetting
   * the field afterwards.
   */
  set upgrade(value: unknown) {
    this.asksForUpgrade = value;
  }
}

const OPTIONS = {
  IncomingMessage: ParsedRequest,
  ServerResponse: QueuedResponse,
  // connection-errors.ts refuses requests without `Host` instead, and answers them with an envelope.
  requireHostHeader: false,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  // Interval in milliseconds at which Node checks these timeouts.
  connectionsCheckingInterval: 2_000,
};

/**
 * A connection on its way from one process to another. Neither process reads from it. Node has no public type
 * for this.
 */
export interface TcpHandle {
  close(): void;
}

/** A Node server with a request queue before the application. */
export class QueuedServer extends Server<typeof IncomingMessage, typeof QueuedResponse> {
  readonly sockets = new Set<Socket>();
  /** Number of connections that the server has accepted. */
  accepted = 0;
  private readonly queue: RequestQueue;

  /** @param onOverflow called before a connection with too many queued requests is destroyed */
  constructor(application: RequestListener, onOverflow: () => void) {
    const queue = new RequestQueue(application, { onOverflow });
    super(OPTIONS, queue.accept);
    this.queue = queue;
    this.on('connection', (socket) => {
      this.accepted += 1;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Takes over a connection that another process has accepted, as if this server had accepted it. If the
   * server no longer listens, the connection ends. Node has no public method for this, so a private one is
   * called, as `node:cluster` does.
   */
  adopt(connection: TcpHandle): void {
    const { _handle: listening } = this as unknown as {
      readonly _handle: { onconnection(error: number, connection: TcpHandle): void } | null;
    };
    if (listening === null) connection.close();
    else listening.onconnection(0, connection);
  }

  /**
   * Makes the last answer of each connection say `Connection: close` from now on. Pipelined requests that
   * have already arrived are still answered.
   */
  closeAfterResponses(): void {
    this.queue.closeAfterResponses();
  }
}

/**
 * The factory for Fastify's option `serverFactory`.
 *
 * With `HOST=localhost` the server listens on the first address of that name only. Fastify's own
 * factory would start a server without the queue for the second address.
 */
export function queuedServer(
  log: FastifyBaseLogger,
  { LOG_REQUESTS }: Pick<Env, 'LOG_REQUESTS'>,
): (application: RequestListener) => QueuedServer {
  const onOverflow = (): void => {
    if (LOG_REQUESTS === 'none') return;
    log.info('a connection was cut: it sent too many requests without waiting for the answers');
  };
  return (application) => new QueuedServer(application, onOverflow);
}
