import { setTimeout as wait } from 'node:timers/promises';

/**
 * Makes calls at a fixed rate, whether or not those before have ended: an open loop.
 * @param rate calls a second
 * @param isOver asked before each call, with its number
 * @param call gets its number and when it was due, in milliseconds of `performance.now`
 * @returns what the calls resolve to, in their order
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
    // A call is never early; the timer's millisecond of lateness counts.
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
