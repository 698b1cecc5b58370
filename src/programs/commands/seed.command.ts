import { MigrationService } from '../../database/migrations/migration.service.js';
import { DEMO_PEOPLE } from '../../setup/demo/demo-people.js';
import { DemoService, type DemoReport } from '../../setup/demo/demo.service.js';
import { SeedService } from '../../setup/seed.service.js';
import { SetupService } from '../../setup/setup.service.js';
import { readFlags } from './read-flags.js';
import { runScript } from './run-script.js';

/** `npm run seed [-- --demo]`: inserts roles, an API key and an admin; with `--demo` also demo data. */
export async function seed(args: readonly string[]): Promise<never> {
  const withDemo = readFlags(args, ['--demo'], 'npm run seed').has('--demo');
  return runScript(async (app) => {
    // First, because it throws when settings are missing, and the database must then stay unchanged.
    const { credentials, created } = await app.get(SetupService).seedCredentials();
    await app.get(MigrationService).runIfPending();
    const { insertedApiKey, insertedAdmin } = await app.get(SeedService).seed(credentials);
    const lines = [
      // Shown once, by the call that has generated them.
      ...(created
        ? [`Made: API key ${credentials.apiKey}, password ${credentials.adminPassword}`]
        : []),
      `API key: ${insertedApiKey ? 'inserted' : 'already there'}`,
      `Admin ${credentials.adminEmail}: ${insertedAdmin ? 'inserted' : 'already there'}`,
    ];
    if (withDemo) lines.push(...demoLines(await app.get(DemoService).seed()));
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
