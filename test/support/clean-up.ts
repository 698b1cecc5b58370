import { afterAll } from '@jest/globals';

const cleanUps: (() => unknown)[] = [];

/** Runs the function after the tests of the file. The functions run in reverse order. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

afterAll(async () => {
  const errors: unknown[] = [];
  for (const cleanUp of cleanUps.reverse()) {
    // An error does not stop the others: Jest would wait forever for connections that stay open.
    await Promise.resolve()
      .then(cleanUp)
      .catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}, 120_000);
