const cleanUps: (() => unknown)[] = [];

/** Runs the function after the tests of the file. The functions run in reverse order. */
export function atEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** @throws the error of a function, after the others have run; an AggregateError of several */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = [];
  for (const run of cleanUps.splice(0).reverse()) {
    // An error does not stop the others: the next file would find what they have not ended.
    await Promise.resolve()
      .then(run)
      .catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}
