const cleanUps: (() => unknown)[] = [];

/** Runs the function after the tests of the file. The functions run in reverse order. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** @throws the error of a function, or an AggregateError of several, after all functions have run */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = [];
  for (const run of cleanUps.splice(0).reverse()) {
    // After an error the remaining functions still run, so that nothing is left for the next file.
    await Promise.resolve()
      .then(run)
      .catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}
