import { OperatorError } from '../config/operator.error.js';

/** By name, because only some starts load the module that they come from. */
const EMBEDDED_ERRORS: ReadonlySet<string> = new Set([
  'EmbeddedMongoError',
  'EmbeddedMongoInUseError',
  'MongodNotFoundError',
]);

/** Ends the process: with words for what an operator can mend, with the stack for a defect. */
export function failWith(error: unknown): never {
  const isForOperator =
    error instanceof OperatorError || (error instanceof Error && EMBEDDED_ERRORS.has(error.name));
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
