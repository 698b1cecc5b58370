import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { AppModule } from '../../app.module.js';
import { readEnv } from '../../config/env.js';
import { failWith } from '../fail-with.js';
import { ScriptLogger } from './script-logger.js';

/**
 * Runs a command on the same services as the server, without listening: on an embedded database
 * that is running, or that is started for as long as the command takes.
 *
 * @param command its exit code; 0 when it returns none
 */
export async function runScript(
  command: (app: INestApplicationContext) => Promise<number | void>,
): Promise<never> {
  let app: INestApplicationContext | undefined;
  try {
    const module = AppModule.register({
      env: readEnv(),
      joinDatabase: true,
      answersRequests: false,
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
