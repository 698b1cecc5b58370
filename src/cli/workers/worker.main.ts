import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createApp } from '../../app.js';
import type { QueuedServer, TcpHandle } from '../../platform/http/connection/queued-server.js';
import { readEnv } from '../../platform/config/env.js';
import { NotReadyError } from '../../health/health.errors.js';
import { HealthService } from '../../health/health.service.js';
import type { AppMetrics } from '../../platform/metrics/app-metrics.js';
import { createMetrics } from '../../platform/metrics/create-metrics.js';
import { failWith } from '../fail-with.js';
import { lowerHelperThreads } from '../helper-threads.js';
import { stopOnSignals } from '../stop-on-signals.js';
import { drainApp, serverOf, stopServing } from '../stop-serving.js';
import type { SharedPort, SupervisorMessage, WorkerMessage } from './messages.js';

/** This program is a worker, one of the processes that share a port. It expects a prepared database. */
try {
  // SIGUSR2 is meant for the supervisor, but `kill` may have sent it to the whole process group.
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
  // The supervisor does not replace a worker by one that reports `notReady`. An unreachable database is not
  // reported, because the worker to be replaced cannot reach it either.
  const notReady = error instanceof NotReadyError ? { notReady: error.message } : {};
  send({ kind: 'initialised', ...notReady });
  const [port, socket] = (await once(process, 'message')) as [SharedPort, unknown];
  await app.listen(socket === undefined ? { ...port } : Object.assign({ handle: socket }, port));
  const server = serverOf(app);
  process.on('message', ({ kind, takesConnections }: SupervisorMessage, connection?: TcpHandle) => {
    if (kind === 'metrics') return void sendMetrics(metrics);
    if (kind === 'socket') return send({ kind }, handleOf(server));
    if (kind === 'connection') return connection && server.adopt(connection);
    // The kind is `retire`. The readiness does not change, because other workers listen on the port.
    retiring ??= drainApp(app, { handOver: takesConnections ? handOver : undefined });
    void retiring.then(() => app.close()).then(() => process.exit(), failWith);
  });
  send({ kind: 'listening', url: await app.getUrl() });
  lowerHelperThreads();
} catch (error) {
  failWith(error);
}

async function sendMetrics(metrics: AppMetrics | null): Promise<void> {
  if (metrics) send({ kind: 'metrics', values: await metrics.values() });
}

/** Sends an open connection to the supervisor, and stops reading from it. */
function handOver(connection: Socket): void {
  const handle = handleOf(connection);
  handle?.readStop();
  // `destroy` closes only this process's handle: another process holds the connection by then.
  send({ kind: 'connection' }, handle, () => connection.destroy());
}

/** The handle of a socket. Node has no public name and type for it. */
function handleOf(socket: QueuedServer | Socket): { readStop(): void } | undefined {
  return (socket as { _handle?: { readStop(): void } })._handle;
}

function send(message: WorkerMessage, handle?: unknown, onSent?: () => void): void {
  process.send?.(message, handle as never, undefined, onSent);
}
