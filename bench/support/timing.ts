import { setTimeout as wait } from 'node:timers/promises';

/**
 * Makes calls at a fixed rate, even while earlier ones have not ended (an open loop).
 * @param rate calls a second
 * @param isOver asked before each call, with its number
 * @param call gets its number, and the time at which it was due, in milliseconds of `performance.now`
 * @returns the results of the calls, in the order of the calls
 */
export async function atRate<Result>(
  rate: number,
  isOver: (index: number) => boolean,
  call: (index: number, due: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const pending: Promise<Result>[] = [];
  const startedAt = performance.now();
  for (let index = 0; !isOver(index); index += 1) {
    const due = startedAt + (index / rate) * 1_000;
    // A call is never early. It may be a millisecond late, because of the timer.
    while (performance.now() < due) await wait(1);
    pending.push(call(index, due));
  }
  return Promise.all(pending);
}

export interface Patience {
  readonly withinMs: number;
  /** Milliseconds between two checks. */
  readonly everyMs?: number;
}

/** Waits for a condition. @returns whether it has come true in time */
export async function isInTime(
  condition: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 50 }: Patience,
): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; !(await condition()); await wait(everyMs)) {
    if (performance.now() > deadline) return false;
  }
  return true;
}

/** Waits for a condition. @throws Error with `what` and the reason when it does not come true in time */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { whyNot, ...patience }: Patience & { readonly whyNot?: () => string },
): Promise<void> {
  if (await isInTime(condition, patience)) return;
  throw new Error(`waited for ${what} in vain${whyNot ? `:\n${whyNot()}` : ''}`);
}

/** @returns whether anything answers at the URL, with any status */
export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
