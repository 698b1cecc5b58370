import type { LoggerService } from '@nestjs/common';

/** What these log is thrown as well, and said once at the end. */
const RETHROWERS: ReadonlySet<unknown> = new Set(['ExceptionHandler', 'MongooseModule']);

/** For commands that somebody is watching: warnings and errors in plain words, nothing else. */
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
