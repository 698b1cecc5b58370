import { join } from 'node:path';
import type { Command } from 'commander';
import { readEnv } from '../../platform/config/env.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { readRunFile, RUN_FILE } from '../../platform/database/embedded/folder/run-file.js';
import { hasStartLink, makeStartLink } from '../setup/start-link.js';
import { addExamples } from '../command-line/examples.js';
import { printResult } from '../command-line/output.js';

/** Adds `pressroom link`. */
export function addLinkCommand(program: Command): void {
  const command = program
    .command('link')
    .description(
      'print a new link that opens the start page with its API key, once, within ten minutes',
    )
    .action(async (_options: unknown, self: Command) => {
      const env = readEnv();
      if (!hasStartLink(env)) {
        throw new OperatorError(
          'The start page shows no secrets in production, or with MONGODB_URI: type the API key there.',
        );
      }
      const { url } = (await readRunFile(join(env.DATA_DIR, RUN_FILE))) ?? {};
      if (url === undefined) {
        throw new OperatorError(`No server uses ${env.DATA_DIR}: start one, which prints a link.`);
      }
      const link = await makeStartLink(env.DATA_DIR, url);
      printResult(self, { link }, [link]);
    });
  addExamples(command, 'link');
}
