import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { createLogger } from '../../platform/logging/create-logger.js';
import { NestLogger } from '../../platform/logging/nest-logger.js';
import { readEnv } from '../../platform/config/env.js';
import { failWith } from '../fail-with.js';
import { SetupService } from '../setup/setup.service.js';
import { stopOnSignals } from '../stop-on-signals.js';

/**
 * This program prepares the database once, before workers start. It runs in a process of its own,
 * so that its modules do not stay in the supervisor's memory.
 */
try {
  // `disconnect` is emitted when the supervisor has ended.
  process.once('disconnect', () => process.exit(1));
  const env = readEnv();
  const app = await NestFactory.createApplicationContext(
    // The supervisor runs the embedded database, so this process joins it.
    AppModule.register({
      env,
      joinDatabase: env.MONGODB_URI === undefined,
      servesRequests: false,
    }),
    { abortOnError: false, logger: new NestLogger(createLogger(env)) },
  );
  stopOnSignals(app);
  const preparation = await app.get(SetupService).prepare();
  await app.close();
  process.send?.(preparation, () => process.exit());
} catch (error) {
  failWith(error);
}
