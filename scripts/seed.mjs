import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
const { seed } = await import('../dist/programs/commands/seed.command.js');
await seed(process.argv.slice(2));
