import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const PRELOAD = new URL('event-loop-delay.preload.mjs', import.meta.url).href;
const ANSWER_MS = 10_000;

/**
 * Starts a Pressroom that records how late its event loop is.
 *
 * @returns the server, with `takeDelays()`: milliseconds since it was last asked
 */
export async function startWatched(bench, { env = {}, ...options } = {}) {
  const file = join(bench.folder, 'event-loop-delay.json');
  const server = await bench.startPressroom(
    { ...env, EVENT_LOOP_DELAY_FILE: file },
    { nodeOptions: ['--import', PRELOAD], ...options },
  );
  const takeDelays = async () => {
    rmSync(file, { force: true });
    process.kill(server.pid, 'SIGUSR2');
    for (const deadline = performance.now() + ANSWER_MS; !existsSync(file); await wait(10)) {
      if (performance.now() > deadline) throw new Error('the server does not tell its delays');
    }
    return JSON.parse(readFileSync(file, 'utf8'));
  };
  return Object.assign(server, { takeDelays });
}
