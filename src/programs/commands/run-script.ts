import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../../app.module.js';
import { readEnv } from '../../config/env.js';
import { failWith } from '../fail-with.js';
import { ScriptLogger } from './script-logger.js';

/**
 * Runs a command with the services of the server, without listening. Without MONGODB_URI it uses the
 * running embedded database, or starts one for the duration of the command.
 *
 * @param command returns the exit code; undefined means 0
 */
export async function runScript(
  command: (app: INestApplicationContext) => Promise<number | void>,
): Promise<never> {
  let app: INestApplicationContext | undefined;
  try {
    const module = AppModule.register({
      env: readEnv(),
      joinDatabase: true,
      servesRequests: false,
    });
    app = await NestFactory.createApplicationContext(module, {
      abortOnError: false,
      logger: new ScriptLogger(),
    });
    const code = await command(app);
    await app.close();
    process.exit(code ?? 0);
  } catch (error) {
    await app?.close();
    failWith(error);
  }
}
