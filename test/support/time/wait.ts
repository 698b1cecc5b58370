/**
 * Waits until a condition holds.
 *
 * @param description the name of the condition, for the error
 * @param condition checked every `intervalMs` milliseconds
 * @returns what the condition returned
 * @throws Error after the deadline
 */
export async function until<T>(
  description: string,
  condition: () => T | Promise<T>,
  deadlineMs = 20_000,
  intervalMs = 20,
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined>;
    if (performance.now() > end)
      throw new Error(`waited ${deadlineMs} ms in vain for: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
