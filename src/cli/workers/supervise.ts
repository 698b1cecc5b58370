import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { createLogger } from '../../platform/logging/create-logger.js';
import { NestLogger } from '../../platform/logging/nest-logger.js';
import { stopWithFailure } from '../../platform/stop-with-failure.js';
import type { Env } from '../../platform/config/env.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { workerCount } from '../../platform/config/worker-count.js';
import { MetricsServer } from '../../platform/metrics/metrics-server.js';
import type { WorkerTotals } from '../../platform/metrics/worker-totals.js';
import { MongoLocation } from '../../platform/database/mongo-location.js';
import { stopOnSignals } from '../stop-on-signals.js';
import { welcomeText } from '../welcome.js';
import type { SharedPort } from './messages.js';
import { PreparationProcess } from './preparation-process.js';
import { findSharedPort } from './shared-port.js';
import { STOP_DEADLINE_MS, WorkerPool, type WorkerPoolOptions } from './pool/worker-pool.js';
import type { WorkerProcess } from './pool/worker-process.js';

const PROGRAM = fileURLToPath(new URL('./worker.main.js', import.meta.url));

export interface SuperviseOptions extends Pick<WorkerPoolOptions, 'stopDeadlineMs'> {
  /** Whether the system supports SO_REUSEPORT; tried out when undefined. */
  readonly canReusePort?: boolean;
}

/**
 * Runs the server in several processes (docs/adr/0006). The supervisor handles no requests. It runs
 * the embedded database, starts the preparation, keeps the workers running, and at the end stops
 * the workers before the database.
 *
 * @returns when all workers accept requests, or when a signal has stopped the start
 * @throws WorkerStartError
 * @throws what opening the database throws
 * @throws the system's error when the port is in use
 * @throws OperatorError when the port of the metrics is in use
 */
export async function supervise(env: Env, options: SuperviseOptions = {}): Promise<void> {
  if (!cluster.isPrimary) {
    throw new OperatorError('WORKERS must be 1 where a process manager runs several of Pressroom.');
  }
  const logger = new NestLogger(createLogger(env));
  Logger.overrideLogger(logger);
  const size = workerCount(env);
  const location = await MongoLocation.open(env, { join: false });
  const preparationProcess = new PreparationProcess();
  const findPort = (port: number): Promise<SharedPort> =>
    findSharedPort({ host: env.HOST, port }, options.canReusePort);
  const totals = await createTotals(env);
  const pool = new WorkerPool({
    stopDeadlineMs: env.STOP_DELAY_MS + (options.stopDeadlineMs ?? STOP_DEADLINE_MS),
    size,
    program: PROGRAM,
    env: { MONGODB_URI: location.uri, MIGRATE: 'off', WORKERS: String(size) },
    findPort: (previous) => findPort(previous?.port ?? env.PORT),
    onEnd: (pid, how) => totals?.end(pid, how),
    onFailure: ({ message }) => {
      logger.error(message, 'Workers');
      stopWithFailure();
    },
  });
  process.on('SIGUSR2', () => void restart(pool));
  let isStopping = false;
  const close = async (hurry?: AbortSignal): Promise<void> => {
    isStopping = true;
    await preparationProcess.stop();
    await pool.stop(hurry);
    await location.onApplicationShutdown();
  };
  stopOnSignals({ close }, env.STOP_DELAY_MS);
  try {
    // A port that is in use fails the start here, before the database is prepared.
    await findPort(env.PORT);
    const metricsServer = totals && (await serveMetrics(env, totals, pool));
    const preparation = await preparationProcess.run();
    const url = await pool.start();
    await location.noteUrl(url);
    process.stdout.write(await welcomeText(url, env, preparation));
    metricsServer?.logUrl();
  } catch (error) {
    // A stop during the start causes errors, which are ignored.
    if (isStopping) return;
    await close();
    throw error;
  }
}

/** Restarts the workers one by one, in the environment of this process: `.env` is not read again. */
async function restart(pool: WorkerPool): Promise<void> {
  const logger = new Logger('Restart');
  logger.log('SIGUSR2: restarting the workers one by one');
  if (await pool.restart()) logger.log('all workers were restarted');
}

/** @returns null without METRICS_PORT */
async function createTotals({ METRICS_PORT }: Env): Promise<WorkerTotals | null> {
  if (METRICS_PORT === undefined) return null;
  const { WorkerTotals } = await import('../../platform/metrics/worker-totals.js');
  return new WorkerTotals();
}

/** Serves the sum of what the workers have counted. */
async function serveMetrics(
  env: Env,
  totals: WorkerTotals,
  pool: WorkerPool,
): Promise<MetricsServer> {
  const update = async (worker: WorkerProcess): Promise<void> => {
    const values = await worker.metrics();
    // The totals keep the last values of a worker that does not answer in time.
    if (values) totals.update(worker.pid, values);
  };
  return MetricsServer.open(env, async () => {
    await Promise.all(pool.listening.map(update));
    return totals.text();
  });
}
