import { Logger } from '@nestjs/common';
import { readEnv } from '../platform/config/env.js';
import { workerCount } from '../platform/config/worker-count.js';
import { MongoLocation } from '../platform/database/mongo-location.js';
import { createLogger } from '../platform/logging/create-logger.js';
import { NestLogger } from '../platform/logging/nest-logger.js';
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
      const log = createLogger(env);
      Logger.overrideLogger(new NestLogger(log));
      // An embedded database starts while the modules of the server are loaded.
      const { opened } = await MongoLocation.launch(env);
      const { serve } = await import('./serve.js');
      await serve(env, log, opened);
    }
  } catch (error) {
    failWith(error);
  }
}
