import { OperatorError } from './operator.error.js';

const EXPLANATION_HINT = 'every variable is explained in .env.example';

/** An error for invalid settings. The message names each of them. */
export class ConfigurationError extends OperatorError {
  override readonly isList = true;

  /** @param problems one sentence for each invalid setting, without a full stop */
  constructor(readonly problems: readonly string[]) {
    super(
      problems.length === 1
        ? `Pressroom cannot start: ${problems.join()} (${EXPLANATION_HINT}).`
        : 'Pressroom cannot start, its configuration needs a correction ' +
            `(${EXPLANATION_HINT}):\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}
