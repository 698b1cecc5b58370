import { readEnv } from '../platform/config/env.js';
import { workerCount } from '../platform/config/worker-count.js';
import { failWith } from './fail-with.js';

/** Runs the server: in this process, or in workers that this process supervises. */
export async function runServer(): Promise<void> {
  // SIGUSR2 asks for a restart of the workers. Without a listener the signal would end the process, also
  // while it starts.
  process.on('SIGUSR2', () => undefined);
  try {
    const env = readEnv();
    // The modules are imported dynamically, because a supervisor does not need those of the server.
    if (workerCount(env) > 1) {
      const { supervise } = await import('./workers/supervise.js');
      await supervise(env);
    } else {
      const { serve } = await import('./serve.js');
      await serve(env);
    }
  } catch (error) {
    failWith(error);
  }
}
