import { once } from 'node:events';
import { createApp } from '../../app.js';
import { readEnv } from '../../config/env.js';
import { NotReadyError } from '../../health/health.errors.js';
import { HealthService } from '../../health/health.service.js';
import type { AppMetrics } from '../../metrics/app-metrics.js';
import { createMetrics } from '../../metrics/create-metrics.js';
import { failWith } from '../fail-with.js';
import { stopOnSignals } from '../stop-on-signals.js';
import { drainApp, stopServing } from '../stop-serving.js';
import type { SharedPort, SupervisorMessage, WorkerMessage } from './messages.js';

/** A worker, one of the processes that share a port. It expects a prepared database. */
try {
  // For the supervisor, but `kill` may have sent it to the whole process group.
  process.on('SIGUSR2', () => undefined);
  const env = readEnv();
  const metrics = await createMetrics(env);
  const app = await createApp(env, { metrics });
  let retiring: Promise<void> | null = null;
  const close = async (hurry: AbortSignal): Promise<void> => {
    await retiring;
    await stopServing(app, env.STOP_DELAY_MS, hurry);
  };
  stopOnSignals({ close }, env.STOP_DELAY_MS);
  const health = app.get(HealthService, { strict: false });
  const error: unknown = await health.ready().catch((reason: unknown) => reason);
  // A database that is out of reach is so for the other workers as well.
  const notReady = error instanceof NotReadyError ? { notReady: error.message } : {};
  send({ kind: 'initialised', ...notReady });
  const [port, socket] = (await once(process, 'message')) as [SharedPort, unknown];
  await app.listen(socket === undefined ? { ...port } : Object.assign({ handle: socket }, port));
  process.on('message', ({ kind }: SupervisorMessage) => {
    if (kind === 'metrics') return void sendMetrics(metrics);
    if (kind === 'socket')
      return send({ kind }, (app.getHttpServer() as { _handle?: unknown })._handle);
    // Still ready: the others of this port are.
    retiring ??= drainApp(app);
    void retiring.then(() => app.close()).then(() => process.exit(), failWith);
  });
  send({ kind: 'listening', url: await app.getUrl() });
} catch (error) {
  failWith(error);
}

async function sendMetrics(metrics: AppMetrics | null): Promise<void> {
  if (metrics) send({ kind: 'metrics', values: await metrics.values() });
}

function send(message: WorkerMessage, socket?: unknown): void {
  // Node has no public type for the socket of a server.
  process.send?.(message, socket as never);
}
