import { OperatorError } from './operator.error.js';

const EXPLAINED = 'every variable is explained in .env.example';

/** Some settings are invalid; the message names each of them. */
export class ConfigurationError extends OperatorError {
  /** @param problems one sentence each, without a full stop */
  constructor(readonly problems: readonly string[]) {
    super(
      problems.length === 1
        ? `Pressroom cannot start: ${problems.join()} (${EXPLAINED}).`
        : 'Pressroom cannot start, its configuration needs a correction ' +
            `(${EXPLAINED}):\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}
