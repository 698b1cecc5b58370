import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Writes the log lines of Nest and of the services to the server's logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: FastifyBaseLogger) {}

  /** Nest's own messages about modules and routes are logged at level debug. */
  log(message: unknown, ...rest: unknown[]): void {
    const context = contextOf(rest);
    const isFrameworkMessage = FRAMEWORK_CONTEXTS.has(context ?? '');
    this.logger[isFrameworkMessage ? 'debug' : 'info']({ context }, textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // With these contexts, Nest logs errors that it then throws, and the program that started Nest reports
    // them.
    if (RETHROWERS.has(contextOf(rest) ?? '')) return;
    if (message instanceof Error) this.logger.error({ err: message, context: contextOf(rest) });
    else this.logger.error({ context: contextOf(rest) }, textOf(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: contextOf(rest) }, textOf(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: contextOf(rest) }, textOf(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: contextOf(rest) }, textOf(message));
  }
}

const FRAMEWORK_CONTEXTS: ReadonlySet<string> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

const RETHROWERS: ReadonlySet<string> = new Set(['ExceptionHandler', 'NestApplication']);

/** Nest passes the context as the last argument. */
function contextOf(rest: readonly unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}

function textOf(message: unknown): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}
