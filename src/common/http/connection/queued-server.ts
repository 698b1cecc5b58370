import { createServer, IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../../../config/env.js';
import { QueuedResponse, RequestQueue } from './request-queue.js';

/** How long a connection may be idle between two requests. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/**
 * Reports an upgrade once its connection is destroyed, which makes Node's parser stop. Otherwise Node
 * would parse the rest of the bytes that it has read into hundreds of requests, and abort each.
 */
class ParsedRequest extends IncomingMessage {
  declare private asksForUpgrade: unknown;

  get upgrade(): unknown {
    return this.socket.destroyed || this.asksForUpgrade;
  }

  /** Node also calls this setter in the constructor of IncomingMessage, before fields exist. */
  set upgrade(value: unknown) {
    this.asksForUpgrade = value;
  }
}

/**
 * Fastify's `serverFactory`: a Node server with a request queue before the application.
 *
 * With `HOST=localhost` the server listens on the first address of that name only. Fastify's own
 * factory would start a second server for the other address, without the queue.
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
      // connection-errors.ts refuses a request without `Host` with an envelope instead.
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Interval of the checks of the timeouts.
      connectionsCheckingInterval: 2_000,
    };
    return createServer<typeof IncomingMessage, typeof QueuedResponse>(options, accept);
  };
}
