import { OperatorError } from './operator.error.js';

/** The settings are not valid; the message names every variable at fault. */
export class ConfigurationError extends OperatorError {
  constructor(problems: readonly string[]) {
    super(
      `Pressroom cannot start, its configuration needs a correction:\n` +
        problems.map((problem) => `  - ${problem}`).join('\n') +
        `\nEvery variable is explained in .env.example.`,
    );
    this.name = 'ConfigurationError';
  }
}
