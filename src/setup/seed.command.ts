import { MigrationService } from '../database/migrations/migration.service.js';
import { runScript } from './run-script.js';
import { SetupService } from './setup.service.js';

/** `npm run seed [-- --demo]`: roles, API key, admin; with `--demo` people and articles too. */
export async function seed(args: readonly string[]): Promise<never> {
  const unknown = args.filter((arg) => arg !== '--demo');
  if (unknown.length > 0) {
    process.stderr.write(`unknown option ${unknown.join(' ')}; usage: npm run seed [-- --demo]\n`);
    process.exit(64);
  }
  return runScript(async (app) => {
    const setup = app.get(SetupService);
    // Before any write: a refusal must leave the database as it was.
    const credentials = await setup.seedCredentials();
    await app.get(MigrationService).runIfPending();
    const { insertedApiKey, insertedAdmin } = await setup.seed(credentials);
    const lines = [
      `API key: ${insertedApiKey ? 'inserted' : 'already there'}`,
      `Admin ${credentials.adminEmail}: ${insertedAdmin ? 'inserted' : 'already there'}`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}
