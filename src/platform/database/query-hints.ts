import mongoose from 'mongoose';

/** The keys of an index: paths with their directions, in order. */
export type IndexKeys = Readonly<Record<string, 1 | -1>>;

const BAD_VALUE = 2;

/**
 * Option for a query by `_id` with further conditions. Without the hint MongoDB would also try indexes for
 * the other conditions. While there are few records, it might cache a plan with such an index.
 *
 * It is frozen, because Mongoose writes into the options of `findOneAndUpdate` and `findOneAndDelete`: those take
 * a copy.
 */
export const BY_ID = Object.freeze({ hint: { _id: 1 } } as const);

/**
 * Runs a query with a hint, so that MongoDB does not cache a plan with another index. If the database
 * was not migrated and lacks the index, the query runs again without the hint, more slowly.
 *
 * @param query runs the query with the given option
 * @throws any other error of the query
 */
export async function withHint<Result>(
  index: IndexKeys,
  query: (option: { readonly hint?: IndexKeys }) => Promise<Result>,
): Promise<Result> {
  try {
    return await query({ hint: index });
  } catch (error) {
    if (!isMissingIndex(error)) throw error;
    return query({});
  }
}

function isMissingIndex(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoServerError &&
    error.code === BAD_VALUE &&
    error.message.includes('hint provided does not correspond to an existing index')
  );
}
