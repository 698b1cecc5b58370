import { OperatorError } from '../config/operator.error.js';

/** Compared by name, so that the module of the embedded database need not be loaded. */
const EMBEDDED_ERRORS: ReadonlySet<string> = new Set([
  'EmbeddedMongoError',
  'EmbeddedMongoInUseError',
  'MongodNotFoundError',
]);

/** Ends the process with exit code 1. Prints a message for the operator, or the stack of a defect. */
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
