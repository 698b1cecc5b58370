import type { INestApplicationContext } from '@nestjs/common';
import { Argument, Option, type Command } from 'commander';
import type { Types } from 'mongoose';
import { AdminUserService } from '../../../admin/admin-user.service.js';
import type { AdminUserView } from '../../../admin/admin-user.view.js';
import { FactorsService } from '../../../auth/factors/factors.service.js';
import { OperatorAccountService } from '../../../admin/operator-account.service.js';
import { NOBODY } from '../../../events/audit/audit.service.js';
import { ROLE_CODES, type RoleCode } from '../../../platform/http/access/role-code.js';
import { normalizeEmail } from '../../../user/email.decorator.js';
import { AlreadyRegisteredError, UserNotFoundError } from '../../../user/user.errors.js';
import { parseCount, parseRole } from '../../command-line/arguments.js';
import { addExamples } from '../../command-line/examples.js';
import { columns, printResult } from '../../command-line/output.js';
import { readNewPassword } from '../../command-line/password-input.js';
import { advising, migrateAsAtStart, withApp } from '../../command-line/with-app.js';

interface ListOptions {
  readonly email?: string;
  readonly role?: RoleCode;
  readonly page: number;
  readonly limit: number;
}

interface CreateOptions {
  readonly name: string;
  readonly role?: readonly RoleCode[];
}

type Change<Result> = (app: INestApplicationContext, id: Types.ObjectId) => Promise<Result>;

const EFFECT_NOTE = 'A running server takes it into account within a second.';

/**
 * Adds `pressroom users …`: commands for what an admin does with accounts, and for what only an
 * operator does.
 */
export function addUsersCommand(program: Command): void {
  const users = program.command('users').description('list, create and change accounts');
  addList(users);
  addCreate(users);
  addRoles(users);
  addPassword(users);
  addReset2fa(users);
  addSwitch(users, 'disable', 'disable an account, which ends its sessions');
  addSwitch(users, 'enable', 'enable an account again');
}

function addList(users: Command): void {
  const list = users
    .command('list')
    .description('list accounts, newest first')
    .option('--email <address>', 'only the account with this email address', normalizeEmail)
    .addOption(new Option('--role <role>', 'only accounts with this role').choices(ROLE_CODES))
    .option('--page <number>', 'the first page is 1', parseCount, 1)
    .option('--limit <number>', 'accounts per page', parseCount, 100)
    .action(async (options: ListOptions, command: Command) => {
      const found = await withApp((app) => app.get(AdminUserService).list(options));
      const lines = found.map((user) => [user.email, user.name, rolesOf(user), stateOf(user)]);
      printResult(command, found, found.length > 0 ? columns(lines) : ['no accounts']);
    });
  addExamples(list, 'users list', 'users list --role ADMIN --json');
}

function addCreate(users: Command): void {
  const create = users
    .command('create')
    .description('create an account; its password is asked for, or read from standard input')
    .argument('<email>')
    .requiredOption('--name <name>', 'the name that others see')
    .option('--role <role>', 'a role; repeat it for several (default: LEARNER)', parseRole)
    .action(async (email: string, { name, role }: CreateOptions, command: Command) => {
      const password = await readNewPassword();
      const user = await withApp(async (app) => {
        await migrateAsAtStart(app);
        const input = { email, name, password, roles: role ?? ['LEARNER'] };
        const created = await advising(
          AlreadyRegisteredError,
          `${email} has an account: change it by "pressroom users roles" or "pressroom users password".`,
          app.get(OperatorAccountService).create(input, NOBODY),
        );
        return app.get(AdminUserService).get(created);
      });
      printResult(command, user, [`Created: ${user.email} (${rolesOf(user)})`]);
    });
  addExamples(
    create,
    'users create you@example.org --name You --role LEARNER --role AUTHOR --role EDITOR --role ADMIN',
    'users create ada@example.org --name "Ada Lovelace" --role AUTHOR < password.txt',
  );
}

function addRoles(users: Command): void {
  const roles = users
    .command('roles')
    .description('set the roles of an account, which replace those that it has')
    .argument('<email>')
    .addArgument(new Argument('<roles...>').choices(ROLE_CODES))
    .action(async (email: string, codes: RoleCode[], _options: unknown, command: Command) => {
      const user = await change(email, (app, id) =>
        app.get(AdminUserService).setRoles(id, codes, NOBODY),
      );
      printResult(command, user, [
        `${user.email} has the roles ${rolesOf(user)}. ${EFFECT_NOTE}`,
        ...schedulesOf(user),
      ]);
    });
  addExamples(roles, 'users roles ada@example.org LEARNER AUTHOR EDITOR');
}

function addPassword(users: Command): void {
  const password = users
    .command('password')
    .description('set the password of an account, which ends all its sessions')
    .argument('<email>')
    .action(async (email: string, _options: unknown, command: Command) => {
      const newPassword = await readNewPassword();
      const user = await change(email, async (app, id) => {
        await app.get(OperatorAccountService).setPassword(email, newPassword);
        return app.get(AdminUserService).get(id);
      });
      printResult(command, user, [
        `The password of ${user.email} is set, and all its sessions have ended. ${EFFECT_NOTE}`,
      ]);
    });
  addExamples(
    password,
    'users password ada@example.org',
    'users password ada@example.org < password.txt',
  );
}

function addReset2fa(users: Command): void {
  const reset = users
    .command('reset-2fa')
    .description('remove all second factors of an account, whose owner has lost them')
    .argument('<email>')
    .action(async (email: string, _options: unknown, command: Command) => {
      const removed = await change(email, (app, id) => app.get(FactorsService).reset(id, NOBODY));
      printResult(command, { email: normalizeEmail(email), removed }, [
        `Second factors removed: ${removed}. The owner signs in by the password alone, and is told by mail.`,
      ]);
    });
  addExamples(reset, 'users reset-2fa ada@example.org');
}

function addSwitch(users: Command, verb: 'enable' | 'disable', description: string): void {
  const command = users
    .command(verb)
    .description(description)
    .argument('<email>')
    .action(async (email: string, _options: unknown, self: Command) => {
      const isEnabled = verb === 'enable';
      const user = await change(email, (app, id) =>
        app.get(AdminUserService).setEnabled(id, isEnabled, NOBODY),
      );
      printResult(self, user, [
        `${user.email} is ${stateOf(user)}. ${EFFECT_NOTE}`,
        ...schedulesOf(user),
      ]);
    });
  addExamples(command, `users ${verb} ada@example.org`);
}

/**
 * Changes the account with this email address.
 *
 * @returns what `work` returns
 */
async function change<Result>(email: string, work: Change<Result>): Promise<Result> {
  return withApp(async (app) => {
    const { _id } = await advising(
      UserNotFoundError,
      `No account has the email address ${email}: "pressroom users list" shows those that exist.`,
      app.get(OperatorAccountService).find(email),
    );
    return work(app, _id);
  });
}

function rolesOf({ roles }: AdminUserView): string {
  return roles.map(({ code }) => code).join(', ');
}

/** What has become of the user's schedules. */
function schedulesOf({ schedules }: AdminUserView): string[] {
  if (!schedules) return [];
  const { cleared, passed, more } = schedules;
  const line = (what: string, blogs: readonly string[]): string[] =>
    blogs.length === 0 ? [] : [`${what}: ${blogs.join(', ')}`];
  return [
    ...line('Planned publications cleared', cleared),
    ...line('Planned unpublications passed to an ADMIN', passed),
    ...(more ? ['There are more: a running server settles them.'] : []),
  ];
}

function stateOf({ enabled }: AdminUserView): string {
  return enabled ? 'enabled' : 'disabled';
}
