import { Logger } from '@nestjs/common';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** npm passes a signal on that the terminal has sent already, so every signal comes twice. */
const REPEAT_MS = 1_000;

/**
 * Closes the application on the first signal and ends the process. A repeat within a second is
 * ignored; a later one means that somebody has lost patience, and ends it at once.
 */
export function stopOnSignals(app: { close(): Promise<void> }): void {
  // The log says whether a process was told to end or died.
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
