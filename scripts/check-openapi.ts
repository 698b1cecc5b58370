import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from './build-if-stale.mjs';
import { CHECKS, KOTLIN_CHECKS, type Check } from './check-openapi/checks.ts';
import { prepareTools } from './check-openapi/tools.ts';
import { startOwnServer } from './support/own-server.ts';
import { messageOf, UserError } from './support/user-error.ts';

const USAGE = `usage: npm run check:openapi -- [--kotlin]

  --kotlin   compile the generated Kotlin client as well, which takes minutes (needs Maven)
`;

/** Number of concurrent checks: the number of cores in CI. */
const LANES = 2;

const { values } = readOptions();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
try {
  await prepareTools();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exit(1);
}
buildIfStale();
const failed = await runAll({ ...CHECKS, ...(values.kotlin ? KOTLIN_CHECKS : {}) });
process.exitCode = failed === 0 ? 0 : 1;

function readOptions() {
  try {
    return parseArgs({
      options: {
        kotlin: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    process.exit(64);
  }
}

/**
 * Gets the OpenAPI description from a server, runs the checks on it, and prints the results.
 *
 * @returns the number of failed checks
 */
async function runAll(checks: Readonly<Record<string, Check>>): Promise<number> {
  const server = await startOwnServer();
  let failures = 0;
  try {
    const description = join(server.folder, 'openapi.json');
    const response = await fetch(`${server.url}/openapi.json`);
    writeFileSync(description, await response.text());
    const queue = Object.entries(checks).entries();
    const work = async (): Promise<void> => {
      for (const [number, [name, check]] of queue) {
        const folder = join(server.folder, `check-${number}`);
        mkdirSync(folder);
        const startedAt = performance.now();
        const problem = await check({ description, folder }).then(() => null, messageOf);
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
        if (problem !== null) failures += 1;
        console.log(`${problem === null ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`);
        if (problem !== null) console.log(problem.slice(-8_000));
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
  } finally {
    await server.stop();
  }
  console.log(`${Object.keys(checks).length - failures} passed, ${failures} failed`);
  return failures;
}
