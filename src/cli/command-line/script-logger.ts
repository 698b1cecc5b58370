import type { LoggerService } from '@nestjs/common';

/** Logger contexts whose errors are not written, because Nest also throws them and the command then reports them. */
const RETHROWERS: ReadonlySet<unknown> = new Set(['ExceptionHandler', 'MongooseModule']);

/** The logger of commands: writes warnings and errors to stderr as plain text. */
export class ScriptLogger implements LoggerService {
  log(): void {
    // Messages of the level `log` are dropped: a command prints its own results.
  }

  warn(message: unknown): void {
    process.stderr.write(`${String(message)}\n`);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (RETHROWERS.has(rest.at(-1))) return;
    process.stderr.write(`${String(message)}\n`);
  }
}
