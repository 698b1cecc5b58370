import { join } from 'node:path';
import { askBySignal } from './ask-by-signal.mjs';

const PRELOAD = new URL('event-loop-delay.preload.mjs', import.meta.url).href;

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
  return Object.assign(server, { takeDelays: () => askBySignal(server.pid, file) });
}
