import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
const { migrate } = await import('../dist/programs/commands/migrate.command.js');
await migrate(process.argv.slice(2));
