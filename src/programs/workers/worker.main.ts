import { once } from 'node:events';
import { createApp } from '../../app.js';
import { readEnv } from '../../config/env.js';
import { failWith } from '../fail-with.js';
import { stopOnSignals } from '../stop-on-signals.js';
import type { SharedPort, WorkerMessage } from './messages.js';

/** A worker, one of the processes that share a port. It expects a prepared database. */
try {
  const app = await createApp(readEnv());
  stopOnSignals(app);
  send({ kind: 'initialised' });
  const [port] = (await once(process, 'message')) as [SharedPort];
  await app.listen({ ...port });
  send({ kind: 'listening', url: await app.getUrl() });
} catch (error) {
  failWith(error);
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}
