import mongoose from 'mongoose';

/** Paths and directions, in the order of the index. */
export type IndexKeys = Readonly<Record<string, 1 | -1>>;

const BAD_VALUE = 2;

/**
 * Runs a query with its index named, so that MongoDB neither tries others that could serve nor
 * remembers a wrong one. A database that was not migrated yet may lack the index: there the query
 * runs once more without the hint, slower, but with the same answer.
 *
 * @param query gets the option to add: a hint, or nothing
 * @throws whatever the query throws for another reason
 */
export async function withHint<Result>(
  index: IndexKeys,
  query: (option: { readonly hint?: IndexKeys }) => Promise<Result>,
): Promise<Result> {
  try {
    return await query({ hint: index });
  } catch (error) {
    if (!isWithoutIndex(error)) throw error;
    return query({});
  }
}

function isWithoutIndex(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoServerError &&
    error.code === BAD_VALUE &&
    error.message.includes('hint provided does not correspond to an existing index')
  );
}
