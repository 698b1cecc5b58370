import { HttpException } from '@nestjs/common';
import { OperatorError } from '../platform/config/operator.error.js';
import { printErrorLines } from './command-line/output.js';
import { explainConnectionError } from '../platform/database/connection/connection-error.js';

/** Ends the process with exit code 1. Prints a message for the operator, or the stack of a defect. */
export function failWith(error: unknown): never {
  const isOneLine = error instanceof OperatorError && !error.isList;
  const text = describeError(error);
  printErrorLines(isOneLine ? [text] : text.split('\n'));
  process.exit(1);
}

/** Advice for an operator when the server cannot listen, by the system's error code. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has the port: stop it, or set PORT to another one',
  EADDRNOTAVAIL: 'this machine has no such address: set HOST to one that it has, or to 0.0.0.0',
  EACCES: 'this user may not have the port: set PORT to 1024 or higher',
  ENOTFOUND: 'HOST is no known name: set it to an address of this machine, or to 0.0.0.0',
  EAI_AGAIN: 'HOST cannot be looked up: set it to an address of this machine, or to 0.0.0.0',
};

/** The text of an error: a message for the operator, or the stack of a defect. */
export function describeError(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const advice = LISTEN_ERRORS[code];
  if (advice && (syscall === 'listen' || syscall === 'getaddrinfo')) {
    return `The server cannot listen (${error.message}): ${advice}.`;
  }
  // A service that a command has called may throw an HttpException, whose message is written for API clients.
  if (error instanceof HttpException) {
    const message = error.message.replace(/^validation error: /, '');
    return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  }
  if (error.name.startsWith('Mongo')) return explainConnectionError(error).message;
  return error.stack ?? error.message;
}
