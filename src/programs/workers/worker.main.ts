import { once } from 'node:events';
import { createApp } from '../../app.js';
import { readEnv } from '../../config/env.js';
import { failWith } from '../fail-with.js';
import { stopOnSignals } from '../stop-on-signals.js';
import type { SharedPort, WorkerMessage } from './messages.js';

/** One of the processes that share a port; its supervisor has prepared the database. */
try {
  const app = await createApp(readEnv());
  stopOnSignals(app);
  tell({ kind: 'initialised' });
  const [port] = (await once(process, 'message')) as [SharedPort];
  await app.listen({ ...port });
  tell({ kind: 'listening', url: await app.getUrl() });
} catch (error) {
  failWith(error);
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}
