import { join } from 'node:path';
import { askBySignal } from '../../support/signal.ts';
import type { Bench } from '../bench.ts';
import type { Server } from '../servers.ts';
import type { Delays } from './event-loop-delay.preload.ts';

export type { Delays } from './event-loop-delay.preload.ts';

const PRELOAD = new URL('event-loop-delay.preload.ts', import.meta.url).href;

/**
 * Starts a Pressroom that records how late its event loop is.
 *
 * @param cpu core to which it is held; none when null
 * @returns the server, with `takeDelays()`: since it was last asked
 */
export async function startWatched(
  bench: Bench,
  cpu: string | null,
): Promise<Server & { takeDelays: () => Promise<Delays> }> {
  const file = join(bench.folder, 'event-loop-delay.json');
  const server = await bench.startPressroom(
    { EVENT_LOOP_DELAY_FILE: file },
    { nodeOptions: ['--import', PRELOAD], cpu },
  );
  const takeDelays = async () => (await askBySignal(server.pid, file)) as Delays;
  return { ...server, takeDelays };
}
