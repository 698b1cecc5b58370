import type { LoggerService } from '@nestjs/common';

/** Contexts whose errors Nest also throws, so that the command reports them at its end. */
const RETHROWERS: ReadonlySet<unknown> = new Set(['ExceptionHandler', 'MongooseModule']);

/** The logger of commands: writes warnings and errors to stderr as plain text. */
export class ScriptLogger implements LoggerService {
  log(): void {
    // Other messages are dropped: a command prints its own results.
  }

  warn(message: unknown): void {
    process.stderr.write(`${String(message)}\n`);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (RETHROWERS.has(rest.at(-1))) return;
    process.stderr.write(`${String(message)}\n`);
  }
}
