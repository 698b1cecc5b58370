import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { MigrationService } from '../../database/migrations/migration.service.js';
import { DEMO_PEOPLE } from '../../setup/demo/demo-people.js';
import { DemoService, type DemoReport } from '../../setup/demo/demo.service.js';
import { SeedService } from '../../setup/seed.service.js';
import { SetupService } from '../../setup/setup.service.js';
import { printResult } from '../command-line/output.js';
import { withApp } from '../command-line/with-app.js';

/** What a command prints, as JSON and as text. */
interface Printed {
  readonly value: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** `pressroom seed [--demo]`: inserts roles, an API key and an admin; with `--demo` also demo data. */
export function addSeedCommand(program: Command): void {
  program
    .command('seed')
    .description('insert the roles, the first API key and the first admin, where they are missing')
    .option('--demo', 'insert demo people and articles as well')
    .action(async ({ demo = false }: { demo?: boolean }, command: Command) => {
      const parts = await withApp(async (app) => [
        await seed(app),
        ...(demo ? [await insertDemo(app)] : []),
      ]);
      printAll(command, parts);
    });
}

/** `pressroom demo`: inserts demo data. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('insert demo people and articles in all states')
    .action(async (_options: unknown, command: Command) => {
      printAll(command, [
        await withApp(async (app) => {
          await app.get(MigrationService).runIfPending();
          return insertDemo(app);
        }),
      ]);
    });
}

function printAll(command: Command, parts: readonly Printed[]): void {
  const value = Object.assign({}, ...parts.map((part) => part.value)) as unknown;
  printResult(
    command,
    value,
    parts.flatMap(({ lines }) => lines),
  );
}

async function seed(app: INestApplicationContext): Promise<Printed> {
  // First, because it throws when settings are missing, and the database must then stay unchanged.
  const { credentials, created } = await app.get(SetupService).seedCredentials();
  await app.get(MigrationService).runIfPending();
  const { insertedApiKey, insertedAdmin } = await app.get(SeedService).seed(credentials);
  const { apiKey, adminEmail, adminPassword } = credentials;
  return {
    value: {
      insertedApiKey,
      insertedAdmin,
      adminEmail,
      ...(created ? { apiKey, adminPassword } : {}),
    },
    lines: [
      // Shown once, by the call that has generated them.
      ...(created ? [`Made: API key ${apiKey}, password ${adminPassword}`] : []),
      `API key: ${insertedApiKey ? 'inserted' : 'already there'}`,
      `Admin ${adminEmail}: ${insertedAdmin ? 'inserted' : 'already there'}`,
    ],
  };
}

async function insertDemo(app: INestApplicationContext): Promise<Printed> {
  const report: DemoReport = await app.get(DemoService).seed();
  const { people, blogs, password } = report;
  const addresses = Object.values(DEMO_PEOPLE).map(
    ({ email, roles }) => `  ${email} (${roles.join(', ')})`,
  );
  return {
    value: { demo: { ...report, addresses: Object.values(DEMO_PEOPLE) } },
    lines: [
      `Demo: ${people} people and ${blogs} articles inserted`,
      ...addresses,
      password === null ? '  with the password they had' : `  password, shown once: ${password}`,
    ],
  };
}
