import { afterAll } from '@jest/globals';

const cleanUps: (() => unknown)[] = [];

/** Runs this after the tests of the file; what was opened last is closed first. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

afterAll(async () => {
  const errors: unknown[] = [];
  for (const cleanUp of cleanUps.reverse()) {
    // The others run in any case, or jest would wait for their connections for ever.
    await Promise.resolve()
      .then(cleanUp)
      .catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}, 120_000);
