import { MigrationService } from '../../database/migrations/migration.service.js';
import { DEMO_PEOPLE } from '../demo/demo-people.js';
import { DemoService, type DemoReport } from '../demo/demo.service.js';
import { runScript } from './run-script.js';
import { SetupService } from '../setup.service.js';

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
    const { credentials, created } = await setup.seedCredentials();
    await app.get(MigrationService).runIfPending();
    const { insertedApiKey, insertedAdmin } = await setup.seed(credentials);
    const lines = [
      // Made here rather than by a first start, so this is the only time they are shown.
      ...(created
        ? [`Made: API key ${credentials.apiKey}, password ${credentials.adminPassword}`]
        : []),
      `API key: ${insertedApiKey ? 'inserted' : 'already there'}`,
      `Admin ${credentials.adminEmail}: ${insertedAdmin ? 'inserted' : 'already there'}`,
    ];
    if (args.includes('--demo')) lines.push(...demoLines(await app.get(DemoService).seed()));
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}

function demoLines({ people, blogs, password }: DemoReport): string[] {
  const addresses = Object.values(DEMO_PEOPLE).map(
    ({ email, roles }) => `  ${email} (${roles.join(', ')})`,
  );
  return [
    `Demo: ${people} people and ${blogs} articles inserted`,
    ...addresses,
    password === null ? '  with the password they had' : `  password, shown once: ${password}`,
  ];
}
