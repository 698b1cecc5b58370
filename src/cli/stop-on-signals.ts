import { Logger } from '@nestjs/common';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Milliseconds in which a repeated signal is ignored: after Ctrl-C, both the terminal and npm send
 * the signal.
 */
const REPEAT_MS = 1_000;

export interface Stoppable {
  /** @param hurry aborted by a second signal while `close` still continues to serve requests */
  close(hurry: AbortSignal): Promise<void>;
}

/**
 * Closes the application on the first SIGINT or SIGTERM and ends the process. Another signal, more
 * than a second later, ends the delay if it is not over, and otherwise ends the process at once.
 *
 * @param delayMs milliseconds for which `close` continues to serve requests
 */
export function stopOnSignals(app: Stoppable, delayMs = 0): void {
  // The stop is logged, so that operators can distinguish a requested stop from a crash.
  const logger = new Logger('Stop');
  const hurry = new AbortController();
  let delayEndsAt: number | null = null;
  let signalledAt = -Infinity;
  const stop = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (now - signalledAt <= REPEAT_MS) return;
    signalledAt = now;
    if (delayEndsAt !== null) {
      if (now >= delayEndsAt || hurry.signal.aborted) process.exit(130);
      logger.log(`${signal}: not waiting any longer`);
      hurry.abort();
      return;
    }
    delayEndsAt = now + delayMs;
    const when = delayMs > 0 ? `in ${delayMs} ms, ` : '';
    logger.log(`${signal}: stopping ${when}when what has begun is answered`);
    app.close(hurry.signal).then(
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
