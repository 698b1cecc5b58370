import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../app.module.js';
import { AuditService, NOBODY, type Act } from '../../events/audit/audit.service.js';
import { BackgroundService } from '../../platform/jobs/background.service.js';
import { Env, readEnv } from '../../platform/config/env.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { MigrationService } from '../../platform/database/migrations/migration.service.js';
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
  env: Env = readEnv(),
): Promise<Result> {
  const module = AppModule.register({
    env,
    joinDatabase: true,
    servesRequests: false,
  });
  const app = await NestFactory.createApplicationContext(module, {
    abortOnError: false,
    logger: new ScriptLogger(),
  });
  try {
    // The background jobs are stopped, so that the command does only its own work. A server runs them.
    await app.get(BackgroundService).beforeApplicationShutdown();
    return await command(app);
  } finally {
    await app.close();
  }
}

/**
 * Runs the pending migrations as the start of a server does, so that a new database has its indexes.
 * `keys create` and `users create` call this first.
 */
export async function migrateAsAtStart(app: INestApplicationContext): Promise<void> {
  if (app.get(Env).MIGRATE === 'on') await app.get(MigrationService).runIfPending();
}

/**
 * Records in the audit log what an operator does with all data. Call it before data leaves the database, so that an
 * export that ends early is recorded as well.
 */
export async function recordAct(
  app: INestApplicationContext,
  kind: Act['kind'],
  details: NonNullable<Act['details']>,
): Promise<void> {
  await app.get(AuditService).record({ kind, actor: NOBODY, details }, null);
}

/**
 * Waits for a call of a service, and replaces an error of one class by advice for the operator.
 *
 * @param advice the message of the OperatorError that replaces an error of `errorClass`
 * @throws OperatorError
 * @throws any other error of the work
 */
export async function advising<Result>(
  errorClass: new () => Error,
  advice: string,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof errorClass) throw new OperatorError(advice, { cause: error });
    throw error;
  }
}
