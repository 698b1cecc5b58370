import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type Options = Parameters<FastifyBaseLogger['child']>[1];

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * A request's logger that creates its pino child on first use. Most requests log nothing, and a child
 * for each would take a twentieth of the time of a cached response.
 */
class LazyLogger {
  private childLogger: FastifyBaseLogger | null = null;

  constructor(
    private readonly parent: FastifyBaseLogger,
    private readonly bindings: Bindings,
    private readonly options: Options,
  ) {}

  get level(): string {
    return this.logger.level;
  }

  child(bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.logger.child(bindings, options);
  }

  get logger(): FastifyBaseLogger {
    return (this.childLogger ??= this.parent.child(this.bindings, this.options));
  }
}

// The methods are on the prototype, because Fastify checks for them on the logger of every request.
for (const level of LEVELS) {
  Object.defineProperty(LazyLogger.prototype, level, {
    value(this: LazyLogger, ...line: [unknown, ...never[]]) {
      this.logger[level](...line);
    },
  });
}

/**
 * Fastify's `childLoggerFactory` for a server that was created without a logger. Given a logger,
 * Fastify would add a listener for the end of every response.
 */
export function lazyChildLogger(
  log: FastifyBaseLogger,
): (parent: FastifyBaseLogger, bindings: Bindings, options: Options) => FastifyBaseLogger {
  return (_parent, bindings, options) =>
    new LazyLogger(log, bindings, options) as LazyLogger & FastifyBaseLogger;
}
