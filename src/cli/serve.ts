import { Logger } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { createApp } from '../app.js';
import type { Env } from '../platform/config/env.js';
import { MongoLocation } from '../platform/database/mongo-location.js';
import { createMetrics } from '../platform/metrics/create-metrics.js';
import { MetricsServer } from '../platform/metrics/metrics-server.js';
import { SetupService } from './setup/setup.service.js';
import { lowerHelperThreads } from './helper-threads.js';
import { stopOnSignals } from './stop-on-signals.js';
import { stopServing } from './stop-serving.js';
import { welcomeText } from './welcome.js';

/**
 * Runs the server in this process.
 *
 * @param location the database, which the process has begun to open
 * @returns when it accepts requests
 * @throws the error of creating the application, preparing the database, or listening on one of the
 *   two ports
 */
export async function serve(
  env: Env,
  log: FastifyBaseLogger,
  location: Promise<MongoLocation>,
): Promise<void> {
  process.on('SIGUSR2', () => {
    new Logger('Restart').warn('SIGUSR2 restarts workers, and with WORKERS=1 there are none');
  });
  const metrics = await createMetrics(env);
  // The metrics port is opened before the application is created, so that a port in use ends the start at once.
  const metricsServer = metrics && (await MetricsServer.open(env, () => metrics.text()));
  const app = await createApp(env, { log, metrics, location });
  const close = (hurry: AbortSignal) => stopServing(app, env.STOP_DELAY_MS, hurry);
  stopOnSignals({ close }, env.STOP_DELAY_MS);
  const preparation = await app.get(SetupService).prepare();
  await app.listen(env.PORT, env.HOST);
  const url = await app.getUrl();
  await app.get(MongoLocation).noteUrl(url);
  process.stdout.write(await welcomeText(url, env, preparation));
  metricsServer?.logUrl();
  // The helper threads have compiled what the start needed, so their priority is lowered now.
  lowerHelperThreads();
}
