import type { LoggerService } from '@nestjs/common';
import { printErrorLines } from './output.js';

/** Logger contexts whose errors are not written, because Nest also throws them and the command then reports them. */
const RETHROWERS: ReadonlySet<unknown> = new Set(['ExceptionHandler', 'MongooseModule']);

/** The logger of commands: writes warnings and errors to stderr as plain text. */
export class ScriptLogger implements LoggerService {
  log(): void {
    // Messages of the level `log` are dropped: a command prints its own results.
  }

  warn(message: unknown): void {
    printErrorLines([String(message)]);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (RETHROWERS.has(rest.at(-1))) return;
    printErrorLines([String(message)]);
  }
}
