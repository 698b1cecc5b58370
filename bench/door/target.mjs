import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CREDENTIALS, startOwnServer } from '../../scripts/support/own-server.ts';
import { askBySignal } from '../performance/ask-by-signal.mjs';
import { atEnd, ownFolder } from '../performance/clean-up.mjs';
import { pinProcess } from '../performance/cpus.mjs';
import { closedLoop } from '../performance/load/closed-loop.mjs';
import { cpuSecondsOf } from '../performance/process.mjs';
import { fillWorld } from './world.mjs';

const PRELOAD = new URL('heap.preload.mjs', import.meta.url).href;
const MEGABYTE = 1_024 ** 2;
const WARM_UP_SECONDS = 2;

/**
 * Starts a server to be attacked, with the limits on, and fills it.
 *
 * @param entry of the built server
 * @returns an own server, with `world`, and `heapMegabytes()`: what is left after a collection; null
 *   when the server does not say it. It ends with the program.
 */
export async function startTarget({ entry, cpus }) {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-door-'));
  const disownFolder = ownFolder(folder);
  const heapFile = join(folder, 'heap.json');
  const server = await startOwnServer({
    entry,
    nodeOptions: ['--expose-gc', '--import', PRELOAD],
    env: {
      HEAP_FILE: heapFile,
      RATE_LIMITS: 'on',
      // Whoever attacks has more than one network.
      LIMIT_CONTACT: '1000000/1h',
      LOG_LEVEL: 'info',
      DOCS: 'off',
    },
  });
  const forget = atEnd(() => server.stop());
  pinProcess(cpus.server, server.pid);
  pinProcess(cpus.load, server.mongod().pid);
  const world = await fillWorld(server);
  await warmUp(server, world, cpus);
  return {
    ...server,
    world,
    heapMegabytes: () =>
      askBySignal(server.pid, heapFile).then(
        (bytes) => Math.round(bytes / MEGABYTE),
        () => null,
      ),
    async stop() {
      await server.stop();
      forget();
      rmSync(folder, { recursive: true, force: true });
      disownFolder();
    },
  };
}

/** V8 compiles what answers reads and takes connections, as it has on a server that has run for a while. */
async function warmUp({ url, pid }, { article }, cpus) {
  const server = { url, cpuSeconds: () => cpuSecondsOf(pid) };
  for (const connection of ['keep-alive', 'close']) {
    const headers = { 'x-api-key': CREDENTIALS.apiKey, connection };
    await closedLoop({ server, path: article, headers, seconds: WARM_UP_SECONDS }, cpus);
  }
}
