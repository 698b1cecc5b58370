import type { Connection } from 'mongoose';
import { databaseFor, type PublicReadOptions } from '../../cache/causal-read-barrier.js';

/**
 * Runs a plain command, such as a `find` whose first batch holds the whole result. A Mongoose query and a
 * cursor of the driver would together cost as much time as the items.
 */
export async function runCommand<Answer>(
  connection: Connection,
  command: object,
  options: PublicReadOptions,
): Promise<Answer> {
  const { session, readConcern, maxTimeMS, readPreference } = options;
  // A copy of the read concern, because the driver adds the operation time to the object it is given.
  const bounded = { ...command, readConcern: { ...readConcern }, maxTimeMS };
  const db = databaseFor(connection, options);
  return (await db.command(bounded, { session, readPreference })) as Answer;
}
