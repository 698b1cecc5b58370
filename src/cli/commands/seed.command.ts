import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ROLE_CODES } from '../../platform/http/access/role-code.js';
import { MigrationService } from '../../platform/database/migrations/migration.service.js';
import { DEMO_PEOPLE } from '../setup/demo/demo-people.js';
import { DemoService, type DemoReport } from '../setup/demo/demo.service.js';
import { SeedService, type AdminState } from '../setup/seed.service.js';
import { SetupService } from '../setup/setup.service.js';
import { addExamples } from '../command-line/examples.js';
import { ExitCode } from '../command-line/exit-code.js';
import { printResult } from '../command-line/output.js';
import { withApp } from '../command-line/with-app.js';

/** The output of a command, as JSON and as text. */
interface Output {
  readonly value: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/**
 * Adds `pressroom seed [--demo]`, which inserts roles, an API key and an admin, and with `--demo` also
 * demo data.
 */
export function addSeedCommand(program: Command): void {
  const command = program
    .command('seed')
    .description('insert the roles, the first API key and the first admin, where they are missing')
    .option('--demo', 'insert demo people and articles as well')
    .action(async ({ demo = false }: { demo?: boolean }, self: Command) => {
      const parts = await withApp(async (app) => [
        await seed(app),
        ...(demo ? [await insertDemo(app)] : []),
      ]);
      printAll(self, parts);
    });
  addExamples(command, 'seed', 'seed --demo');
}

/** Adds `pressroom demo`, which inserts demo data. */
export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .description('insert demo people and articles in all states')
    .action(async (_options: unknown, self: Command) => {
      printAll(self, [
        await withApp(async (app) => {
          await app.get(MigrationService).runIfPending();
          return insertDemo(app);
        }),
      ]);
    });
  addExamples(command, 'demo');
}

function printAll(command: Command, parts: readonly Output[]): void {
  const value = Object.assign({}, ...parts.map((part) => part.value)) as unknown;
  printResult(
    command,
    value,
    parts.flatMap(({ lines }) => lines),
  );
}

async function seed(app: INestApplicationContext): Promise<Output> {
  // The credentials come first: a missing setting throws, and must leave the database unchanged.
  const { credentials, created } = await app.get(SetupService).seedCredentials();
  await app.get(MigrationService).runIfPending();
  const seeds = app.get(SeedService);
  const { apiKey, admin } = await seeds.seed(credentials);
  const leftToYou = await tasksForOperator(seeds, { admin, email: credentials.adminEmail ?? '' });
  if (leftToYou.length > 0) process.exitCode = ExitCode.LEFT_TO_OPERATOR;
  return {
    value: { apiKey: { state: apiKey }, admin: { state: admin }, created, leftToYou },
    lines: [
      // The API key is shown once, by the call that has generated it.
      ...(created.apiKey === undefined ? [] : [`API key, shown this once: ${created.apiKey}`]),
      ...(created.adminPassword === undefined
        ? []
        : [`Password of the admin, shown this once: ${created.adminPassword}`]),
      `API key: ${apiKey ?? 'already there'}`,
      ...(admin === null ? [] : [`Admin ${credentials.adminEmail}: ${admin}`]),
      ...(leftToYou.length > 0 ? ['Left to you:'] : []),
      ...leftToYou.map((line) => `  ${line}`),
    ],
  };
}

/** @returns what the operator has to do after a seed, with the command for it */
async function tasksForOperator(
  seeds: SeedService,
  { admin, email }: { readonly admin: AdminState | null; readonly email: string },
): Promise<string[]> {
  if (admin === 'without role') {
    return [
      `${email} has an account that is no admin: npx pressroom users roles ${email} ${ROLE_CODES.join(' ')}`,
    ];
  }
  if (admin === 'disabled') {
    return [`${email} has an account that is disabled: npx pressroom users enable ${email}`];
  }
  const hasAdmin = !(await seeds.missing()).includes('admin');
  return hasAdmin
    ? []
    : ['there is no admin: npx pressroom users create you@example.org --name You --role ADMIN'];
}

async function insertDemo(app: INestApplicationContext): Promise<Output> {
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
