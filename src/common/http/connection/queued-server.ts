import { createServer, IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../../../config/env.js';
import { QueuedResponse, RequestQueue } from './request-queue.js';

/** Between two requests of a connection. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/**
 * What Node makes of the headers of a request. On a connection that has been destroyed it says that it
 * asks for an upgrade, which ends the parsing: else Node would make hundreds of requests of what is left
 * of a read, and abort each.
 */
class ParsedRequest extends IncomingMessage {
  declare private asksForUpgrade: unknown;

  get upgrade(): unknown {
    return this.socket.destroyed || this.asksForUpgrade;
  }

  /** Node sets it, also before this class could initialise anything. */
  set upgrade(value: unknown) {
    this.asksForUpgrade = value;
  }
}

/**
 * Makes Node's server for Fastify (`serverFactory`), with a request queue before the application.
 *
 * Fastify would make it with the same options, and for `HOST=localhost` one more that nothing here knows
 * of: this one listens on the first address of that name only.
 */
export function queuedServer(
  log: FastifyBaseLogger,
  { LOG_REQUESTS }: Pick<Env, 'LOG_REQUESTS'>,
): (application: RequestListener) => Server {
  const onOverflow = (): void => {
    if (LOG_REQUESTS === 'none') return;
    log.info('a connection was cut: it sent too many requests without waiting for the answers');
  };
  return (application) => {
    const { accept } = new RequestQueue(application, { onOverflow });
    const options = {
      IncomingMessage: ParsedRequest,
      ServerResponse: QueuedResponse,
      // Refused with an envelope instead (connection-errors.ts).
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // How much later than that a slow one may be noticed.
      connectionsCheckingInterval: 2_000,
    };
    return createServer<typeof IncomingMessage, typeof QueuedResponse>(options, accept);
  };
}
