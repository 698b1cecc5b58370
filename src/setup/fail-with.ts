import { ConfigurationError } from '../config/env.js';

/** What an operator can mend; the message says how, and a stack would only hide it. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OperatorError';
  }
}

/** Errors whose message is written for the operator. */
const OPERATOR_ERRORS: ReadonlySet<string> = new Set([
  OperatorError.name,
  ConfigurationError.name,
  'EmbeddedMongoError',
  'EmbeddedMongoInUseError',
  'MongodNotFoundError',
]);

/** Ends the process: with words for what an operator can mend, with the stack for a defect. */
export function failWith(error: unknown): never {
  const isForOperator = error instanceof Error && OPERATOR_ERRORS.has(error.name);
  const text = isForOperator ? error.message : describe(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}: another program has the port; stop it, or set PORT.`;
  }
  if (error.name.startsWith('Mongo')) {
    return `The database refused or cannot be reached: ${error.message}\nCheck MONGODB_URI.`;
  }
  return error.stack ?? error.message;
}
