import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BackgroundService } from '../platform/jobs/background.service.js';
import { drainServer, type DrainOptions } from '../platform/http/connection/drain/drain-server.js';
import type { QueuedServer } from '../platform/http/connection/queued-server.js';
import { NoticeStreams } from '../events/notices/stream/notice-streams.service.js';
import { HealthService } from '../health/health.service.js';

/** The server that `createApp` has made; Nest's type for it is too general. */
export function serverOf(app: NestFastifyApplication): QueuedServer {
  return app.getHttpServer() as unknown as QueuedServer;
}

/**
 * Closes the application without cutting off requests: it reports that it is not ready, continues to
 * serve requests during the delay, drains its connections, and then closes everything else.
 *
 * @param hurry ends the delay
 */
export async function stopServing(
  app: NestFastifyApplication,
  delayMs: number,
  hurry?: AbortSignal,
): Promise<void> {
  const server = serverOf(app);
  if (server.listening) {
    app.get(HealthService, { strict: false }).noteStop();
    if (delayMs > 0) {
      // Connections now end after a response, so each client has to connect again. A load balancer that has
      // seen that this server is not ready connects the client to another server.
      server.closeAfterResponses();
      await wait(delayMs, undefined, hurry && { signal: hurry }).catch(() => undefined);
    }
    await drainApp(app);
  }
  await app.close();
}

/**
 * Ends the streams of notices, answers the requests that have arrived, and stops the background jobs at the same time, because
 * both may take seconds.
 */
export async function drainApp(app: NestFastifyApplication, options?: DrainOptions): Promise<void> {
  app.get(NoticeStreams, { strict: false }).beforeApplicationShutdown();
  const [cut] = await Promise.all([
    drainServer(serverOf(app), options),
    app.get(BackgroundService, { strict: false }).beforeApplicationShutdown(),
  ]);
  if (cut > 0) new Logger('Stop').warn(`${cut} connections were cut: they were open for too long`);
}
