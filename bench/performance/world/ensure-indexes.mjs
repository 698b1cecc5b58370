/**
 * Creates the indexes that a newer Pressroom has declared on a kept database, and nothing else: its
 * migrations have been applied already, and would read a million articles once more.
 */
import { getConnectionToken } from '@nestjs/mongoose';
import { ensureIndexes } from '../../../dist/database/indexes.js';
import { runScript } from '../../../dist/programs/commands/run-script.js';

await runScript(async (app) => {
  const connection = app.get(getConnectionToken());
  await ensureIndexes(connection, connection);
});
