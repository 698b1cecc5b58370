import { setTimeout as wait } from 'node:timers/promises';
import type { LaunchedMongod } from './launch-mongod.js';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/**
 * A mongod that has run for longer than this, in milliseconds, counts as stable: when it ends, the delay
 * is FIRST_DELAY_MS again.
 */
const STABLE_AFTER_MS = 60_000;

export interface KeepRunningOptions {
  /**
   * Starts mongod again.
   *
   * @throws {Error} whose message says why it does not start, and what to do
   */
  readonly startAgain: () => Promise<LaunchedMongod>;
  /** Ends the supervision, and every mongod that was launched with this signal. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly logError: (line: string) => void;
}

/**
 * Starts mongod again whenever it ends. The number of starts is not limited, because a full disk may have
 * space again tomorrow. The delay before the next start doubles each time, from 1 s up to 30 s.
 *
 * @param first the mongod that runs now
 * @returns after the signal, once no mongod runs any more
 */
export async function keepRunning(
  first: LaunchedMongod,
  { startAgain, signal, log, logError }: KeepRunningOptions,
): Promise<void> {
  let delayMs = FIRST_DELAY_MS;
  const awaitEnd = async (mongod: LaunchedMongod): Promise<Error> => {
    const startedAt = performance.now();
    const error = await mongod.ended;
    if (performance.now() - startedAt > STABLE_AFTER_MS) delayMs = FIRST_DELAY_MS;
    return error;
  };
  for (let start = () => Promise.resolve(first); ; start = startAgain) {
    const error = await start().then(
      (mongod) => {
        if (start === startAgain) log('MongoDB runs again.');
        return awaitEnd(mongod);
      },
      (failure: unknown) => failure as Error,
    );
    // The signal ends mongod, even one that is still starting, so no mongod runs now.
    if (signal.aborted) return;
    logError(`${error.message} MongoDB is started again in ${delayMs / 1_000} s.`);
    await wait(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS);
  }
}
