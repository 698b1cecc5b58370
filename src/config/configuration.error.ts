import { OperatorError } from './operator.error.js';

/** Some settings are invalid; the message names each of them. */
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
