import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { addAuditCommand } from '../commands/audit.command.js';
import { addBackupCommand, addRestoreCommand } from '../commands/archive/backup.command.js';
import { addCopyCommand } from '../commands/archive/copy.command.js';
import { addExportCommand } from '../commands/archive/export.command.js';
import { addImportCommand } from '../commands/import.command.js';
import { addDoctorCommand } from '../commands/doctor.command.js';
import { addJobsCommand } from '../commands/jobs.command.js';
import { addKeysCommand } from '../commands/keys.command.js';
import { addLinkCommand } from '../commands/link.command.js';
import { addMediaCommand } from '../commands/media.command.js';
import { addMailCommand } from '../commands/people/mail.command.js';
import { addMigrateCommand } from '../commands/migrate/migrate.command.js';
import { addDemoCommand, addSeedCommand } from '../commands/seed.command.js';
import { addJourneyCommand, addStartCommand } from '../commands/start.command.js';
import { addUsersCommand } from '../commands/people/users.command.js';
import { addWebhooksCommand } from '../commands/webhooks.command.js';
import { failWith } from '../fail-with.js';
import { ExitCode } from './exit-code.js';
import { printErrorLines } from './output.js';

/** The path of package.json is the same from `src/cli/command-line` and from `dist/cli/command-line`. */
const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** The functions that add the commands, in the order of the help. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addStartCommand,
  addLinkCommand,
  addDoctorCommand,
  addSeedCommand,
  addMigrateCommand,
  addUsersCommand,
  addKeysCommand,
  addWebhooksCommand,
  addJobsCommand,
  addMailCommand,
  addMediaCommand,
  addAuditCommand,
  addImportCommand,
  addExportCommand,
  addBackupCommand,
  addRestoreCommand,
  addCopyCommand,
  addDemoCommand,
  addJourneyCommand,
];

const EXIT_CODES = `
Exit codes: ${ExitCode.DONE} done, ${ExitCode.FAILED} failed, ${ExitCode.LEFT_TO_OPERATOR} done with something left to you, ${ExitCode.USAGE} wrong usage.
Settings are read from the environment and from .env, as the server reads them.`;

/** Declares `pressroom` with all its commands; docs/commands.md lists them. */
export function createProgram(): Command {
  const program = new Command('pressroom')
    .description('A headless blog server with editorial review.')
    .version(version)
    .option('--json', 'print the result as one JSON value')
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('Run with --help to see what is possible.')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: (text) => printErrorLines(text.trimEnd().split('\n')) });
  for (const add of COMMANDS) add(program);
  return program;
}

/**
 * Runs one command and ends the process with its exit code.
 *
 * @param args without the names of Node and of the program
 */
export async function runCommandLine(args: readonly string[]): Promise<never> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed its message already.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : ExitCode.USAGE);
    failWith(error);
  }
  process.exit();
}
