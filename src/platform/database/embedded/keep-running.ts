import { setTimeout as wait } from 'node:timers/promises';
import type { LaunchedMongod } from './launch-mongod.js';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/**
 * Milliseconds after its start from which a mongod counts as stable: when it ends later, it is
 * started again after the first delay.
 */
const STABLE_AFTER_MS = 60_000;

export interface KeepRunningOptions {
  /**
   * Starts mongod again.
   *
   * @throws {Error} whose message says why it does not start, and what to do
   */
  readonly startAgain: () => Promise<LaunchedMongod>;
  /** Stops the supervision, and every mongod that was launched with this signal. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly logError: (line: string) => void;
}

/**
 * Starts mongod again whenever it ends, without giving up: a full disk may have space again
 * tomorrow. The delay doubles from 1 s to 30 s.
 *
 * @param first the mongod that runs now
 * @returns after the signal, when none runs any more
 */
export async function keepRunning(
  first: LaunchedMongod,
  { startAgain, signal, log, logError }: KeepRunningOptions,
): Promise<void> {
  let delayMs = FIRST_DELAY_MS;
  const untilItEnds = async (mongod: LaunchedMongod): Promise<Error> => {
    const startedAt = performance.now();
    const error = await mongod.ended;
    if (performance.now() - startedAt > STABLE_AFTER_MS) delayMs = FIRST_DELAY_MS;
    return error;
  };
  for (let start = () => Promise.resolve(first); ; start = startAgain) {
    const error = await start().then(
      (mongod) => {
        if (start === startAgain) log('MongoDB runs again.');
        return untilItEnds(mongod);
      },
      (failure: unknown) => failure as Error,
    );
    // The loop ends here after each wait: a signal that came during a start has ended what was
    // started.
    if (signal.aborted) return;
    logError(`${error.message} MongoDB is started again in ${delayMs / 1_000} s.`);
    await wait(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS);
  }
}
