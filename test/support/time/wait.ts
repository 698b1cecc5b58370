/**
 * Waits until a condition holds.
 *
 * @param condition asked again every 20 ms
 * @returns what the condition returned
 * @throws Error naming what was awaited, after the deadline (milliseconds)
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs = 20_000,
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined>;
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
