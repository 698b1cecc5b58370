import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { BackgroundService } from '../../background/background.service.js';
import { readEnv } from '../../config/env.js';
import { ScriptLogger } from './script-logger.js';

/**
 * Runs a command with the services of the server, without listening. Without MONGODB_URI it uses the
 * running embedded database, or starts one for the duration of the command.
 *
 * @returns what the command returns
 * @throws what reading the settings, connecting or the command throws
 */
export async function withApp<Result>(
  command: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const module = AppModule.register({
    env: readEnv(),
    joinDatabase: true,
    servesRequests: false,
  });
  const app = await NestFactory.createApplicationContext(module, {
    abortOnError: false,
    logger: new ScriptLogger(),
  });
  try {
    // A command does what it says and nothing else: the next server runs the jobs.
    await app.get(BackgroundService).beforeApplicationShutdown();
    return await command(app);
  } finally {
    await app.close();
  }
}
