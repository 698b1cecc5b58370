import { OperatorError } from '../config/operator.error.js';

/** Ends the process with exit code 1. Prints a message for the operator, or the stack of a defect. */
export function failWith(error: unknown): never {
  const text = error instanceof OperatorError ? error.message : describe(error);
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
