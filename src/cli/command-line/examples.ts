import type { Command } from 'commander';

/**
 * Adds examples to the help of a command.
 *
 * @param examples texts that follow `npx pressroom`
 */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  const lines = examples.map((example) => `  npx pressroom ${example}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
