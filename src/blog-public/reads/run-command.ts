import type { Connection } from 'mongoose';
import type { PublicReadOptions } from './public-reads.js';

/**
 * Runs a plain command, such as a `find` whose first batch holds the whole result. A Mongoose query and a
 * cursor of the driver would together cost as much time as the items.
 */
export async function runCommand<Answer>(
  { db }: Connection,
  command: object,
  { session, readConcern, maxTimeMS, readPreference }: PublicReadOptions,
): Promise<Answer> {
  if (!db) throw new Error('the database was asked before it was connected to');
  // A copy of the read concern, because the driver adds the operation time to the object it is given.
  const bounded = { ...command, readConcern: { ...readConcern }, maxTimeMS };
  return (await db.command(bounded, { session, readPreference })) as Answer;
}
