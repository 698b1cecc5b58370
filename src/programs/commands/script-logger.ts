import type { LoggerService } from '@nestjs/common';

/** These log errors that they also throw, and the command reports at its end. */
const RETHROWERS: ReadonlySet<unknown> = new Set(['ExceptionHandler', 'MongooseModule']);

/** For commands: writes warnings and errors to stderr as plain text. */
export class ScriptLogger implements LoggerService {
  log(): void {
    // A command prints its own results.
  }

  warn(message: unknown): void {
    process.stderr.write(`${String(message)}\n`);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (RETHROWERS.has(rest.at(-1))) return;
    process.stderr.write(`${String(message)}\n`);
  }
}
