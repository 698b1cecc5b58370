import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { OperatorError } from '../../platform/config/operator.error.js';
import { addExamples } from '../command-line/examples.js';

/**
 * The script that `pressroom journey` runs. The path is the same from `src` and from `dist`. A
 * container image lacks the file.
 */
const JOURNEY = fileURLToPath(new URL('../../../scripts/journey.ts', import.meta.url));

/**
 * Adds `pressroom start` to the help. bin/pressroom.mjs runs the command, to give Node its flags; the
 * action here is called only if there are more arguments.
 */
export function addStartCommand(program: Command): void {
  const command = program
    .command('start')
    .description('start the server; settings are environment variables, explained in .env.example')
    .action(() => {
      throw new OperatorError('Run "pressroom start" without options.');
    });
  addExamples(command, 'start');
}

/** Adds `pressroom journey`, a client that tries everything on the running server. */
export function addJourneyCommand(program: Command): void {
  program
    .command('journey')
    .description('try every part of the running server as a client; --help lists the options')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]')
    .action((options: string[]) => {
      if (!existsSync(JOURNEY)) {
        throw new OperatorError(
          'The journey is not part of this installation: run it from a clone.',
        );
      }
      const { status } = spawnSync(process.execPath, [JOURNEY, ...options], { stdio: 'inherit' });
      process.exitCode = status ?? 1;
    });
}
