import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startClient } from '../load/client-process.ts';
import { closedLoop } from '../load/closed-loop.ts';
import type { Cpus } from '../support/machine/cpus.ts';
import { ownFolder } from '../support/program.ts';
import { MEGABYTE, Pressroom } from '../support/servers/pressroom.ts';
import { isInTime } from '../support/timing.ts';
import type { Target } from './attack.ts';
import { fillTarget, type Content } from './content.ts';
import { HELD_CONNECTIONS } from './kinds/held-connections.ts';
import { REFUSED_BURST } from './kinds/held.ts';
import { KEY_HEADER } from './kinds/senders.ts';

const PRELOAD = new URL('heap.preload.ts', import.meta.url).href;
const ANSWER_MS = 10_000;
const WARM_UP_SECONDS = 2;
/** Seconds after which the server has refused the whole warm-up burst, and the database is idle again. */
const BURST_SECONDS = 1;

/**
 * Starts the server under attack, with rate limits, and fills it. The server ends with the program.
 * @param entry entry point of the built server
 */
export async function startTarget({ entry, cpus }: { entry: string; cpus: Cpus }): Promise<Target> {
  const heapFile = join(ownFolder().folder, 'heap.json');
  const server = await Pressroom.start({
    entry,
    cpus,
    nodeOptions: ['--expose-gc', '--import', PRELOAD],
    env: {
      HEAP_FILE: heapFile,
      RATE_LIMITS: 'on',
      // The limit is raised because attackers have more than one client prefix.
      LIMIT_CONTACT: '1000000/1h',
      LOG_LEVEL: 'info',
      DOCS: 'off',
    },
  });
  const content = await fillTarget(server.call, server.mongod);
  await warmUp(server, content, cpus);
  const heapMegabytes = async () => {
    rmSync(heapFile, { force: true });
    server.signal('SIGUSR2');
    const exists = await isInTime(() => existsSync(heapFile), { withinMs: ANSWER_MS, everyMs: 10 });
    return exists ? Math.round(Number(readFileSync(heapFile, 'utf8')) / MEGABYTE) : NaN;
  };
  return { server, content, heapMegabytes };
}

/**
 * Warms up the server, as if it had run for a while: V8 compiles the code that answers reads, accepts connections and
 * refuses pipelined requests. Without this, the first burst would take three times the processor time of later ones.
 */
async function warmUp(server: Pressroom, { article }: Content, cpus: Cpus): Promise<void> {
  for (const connection of ['keep-alive', 'close']) {
    const headers = { ...KEY_HEADER, connection };
    await closedLoop({ server, path: article, headers, seconds: WARM_UP_SECONDS }, cpus);
  }
  const job = { url: server.url, ...REFUSED_BURST };
  const burst = await startClient({ module: HELD_CONNECTIONS }, job, cpus);
  const report = burst.begin();
  await wait(BURST_SECONDS * 1_000);
  burst.endRun();
  await report;
  burst.stop();
}
