import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { apiTypes } from './client/api-types.ts';
import { describeServer } from './client/description.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// Builds `client/dist`. Its types come from the description of the built server, so the server is built first.
buildIfStale();
writeFileSync(`${ROOT}/client/src/api-types.ts`, await apiTypes(await describeServer()));
const { status } = spawnSync('npx', ['--no-install', 'tsc', '-p', 'client'], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exit(status ?? 1);
