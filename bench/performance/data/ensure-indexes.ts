/**
 * Creates the indexes that a newer Pressroom has declared on a kept database, and nothing else: its
 * migrations have been applied already, and would read a million articles once more.
 */
import { getConnectionToken } from '@nestjs/mongoose';
import { built } from '../../support/built.ts';

const { ensureIndexes } = await built('database/indexes');
const { runScript } = await built('programs/commands/run-script');

await runScript(async (app) => {
  const connection = app.get(getConnectionToken());
  await ensureIndexes(connection, connection);
});
