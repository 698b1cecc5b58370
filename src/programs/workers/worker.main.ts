import { once } from 'node:events';
import { createApp } from '../../app.js';
import { readEnv } from '../../config/env.js';
import type { AppMetrics } from '../../metrics/app-metrics.js';
import { createMetrics } from '../../metrics/create-metrics.js';
import { failWith } from '../fail-with.js';
import { stopOnSignals } from '../stop-on-signals.js';
import type { SharedPort, WorkerMessage } from './messages.js';

/** A worker, one of the processes that share a port. It expects a prepared database. */
try {
  const env = readEnv();
  const metrics = await createMetrics(env);
  const app = await createApp(env, { metrics });
  stopOnSignals(app);
  send({ kind: 'initialised' });
  const [port] = (await once(process, 'message')) as [SharedPort];
  await app.listen({ ...port });
  if (metrics) process.on('message', () => void sendMetrics(metrics));
  send({ kind: 'listening', url: await app.getUrl() });
} catch (error) {
  failWith(error);
}

async function sendMetrics(metrics: AppMetrics): Promise<void> {
  send({ kind: 'metrics', values: await metrics.values() });
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}
