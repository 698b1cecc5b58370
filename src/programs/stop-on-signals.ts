import { Logger } from '@nestjs/common';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Repeats within 1 s are ignored, because Ctrl-C sends the signal both by the terminal and by npm. */
const REPEAT_MS = 1_000;

/**
 * Closes the application on the first SIGINT or SIGTERM and ends the process. Another signal, more than
 * a second later, ends the process at once.
 */
export function stopOnSignals(app: { close(): Promise<void> }): void {
  // Logged, so that operators can tell a requested stop from a crash.
  const logger = new Logger('Stop');
  let firstAt: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (firstAt !== null) {
      if (performance.now() - firstAt > REPEAT_MS) process.exit(130);
      return;
    }
    firstAt = performance.now();
    logger.log(`${signal}: stopping when what has begun is answered`);
    app.close().then(
      () => {
        logger.log('stopped');
        process.exit();
      },
      (error: unknown) => {
        process.stderr.write(`Stopping failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of SIGNALS) process.on(signal, stop);
}
