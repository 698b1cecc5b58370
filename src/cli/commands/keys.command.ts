import type { Command } from 'commander';
import type { Types } from 'mongoose';
import { ApiKeyNotFoundError } from '../../apikey/api-key.errors.js';
import { ApiKeyService } from '../../apikey/api-key.service.js';
import { SCOPE_NAMES, type KeyScope } from '../../platform/http/access/key-scopes/key-scope.js';
import { NOBODY } from '../../events/audit/audit.service.js';
import type { ApiKeyView } from '../../apikey/views/api-key.view.js';
import { parseComment, parseId, parseScopes, parseTime } from '../command-line/arguments.js';
import { addExamples } from '../command-line/examples.js';
import { columns, printResult } from '../command-line/output.js';
import { advising, migrateAsAtStart, withApp } from '../command-line/with-app.js';

interface CreateOptions {
  readonly comment?: string;
  readonly expires?: Date;
  readonly scopes?: readonly KeyScope[];
}

/** Adds `pressroom keys …`, for the API keys of clients. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('list, create and disable API keys');
  addList(keys);
  addCreate(keys);
  addSwitch(keys, 'disable', 'disable an API key: its client gets 403');
  addSwitch(keys, 'enable', 'enable an API key again');
}

function addList(keys: Command): void {
  const list = keys
    .command('list')
    .description('list API keys, newest first, without their secret part')
    .action(async (_options: unknown, command: Command) => {
      const found = await withApp((app) => app.get(ApiKeyService).list());
      const lines = found.map((key) => [
        key._id,
        `${key.prefix}…`,
        stateOf(key),
        lastUseOf(key),
        scopesOf(key),
        key.comment ?? '',
      ]);
      printResult(command, found, found.length > 0 ? columns(lines) : ['no API keys']);
    });
  addExamples(list, 'keys list');
}

function addCreate(keys: Command): void {
  const create = keys
    .command('create')
    .description('create an API key, which is shown this once')
    .option('--comment <text>', 'what it is for', parseComment)
    .option('--expires <date>', 'when it stops working; never when left out', parseTime)
    .option('--scopes <list>', 'which routes it opens; all when left out', parseScopes)
    .action(async ({ comment, expires, scopes }: CreateOptions, command: Command) => {
      const created = await withApp(async (app) => {
        await migrateAsAtStart(app);
        const input = { comment, expiresAt: expires, scopes };
        return app.get(ApiKeyService).create(input, NOBODY);
      });
      printResult(command, created, [
        `API key, shown this once: ${created.key}`,
        `Its id, by which it is disabled: ${created._id}`,
      ]);
    });
  addExamples(
    create,
    'keys create --comment "mobile app"',
    'keys create --comment "search page" --scopes read,search',
    'keys create --comment preview --expires 2030-01-31',
  );
}

function addSwitch(keys: Command, verb: 'enable' | 'disable', description: string): void {
  const command = keys
    .command(verb)
    .description(description)
    .argument('<id>', 'as "keys list" shows it', parseId)
    .action(async (id: Types.ObjectId, _options: unknown, self: Command) => {
      const changed = await withApp((app) =>
        advising(
          ApiKeyNotFoundError,
          'No API key has this id: "pressroom keys list" shows those that exist.',
          app.get(ApiKeyService).change(id, { enabled: verb === 'enable' }, NOBODY),
        ),
      );
      printResult(self, changed, [
        `${changed.prefix}… is ${stateOf(changed)}. A running server takes it into account within a second.`,
      ]);
    });
  addExamples(command, `keys ${verb} 66f1a2b3c4d5e6f708192a3b`);
}

function stateOf({ enabled, expiresAt }: ApiKeyView): string {
  if (!enabled) return 'disabled';
  if (!expiresAt) return 'enabled';
  return `${expiresAt <= new Date() ? 'expired' : 'enabled until'} ${expiresAt.toISOString()}`;
}

function scopesOf({ scopes }: ApiKeyView): string {
  return scopes.length === SCOPE_NAMES.length ? 'all scopes' : scopes.join(',') || 'no scope';
}

function lastUseOf({ lastUsedAt }: ApiKeyView): string {
  return lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'never used';
}
