import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startOwnServer, type Mongod } from '../../scripts/support/own-server.ts';
import { startClient } from '../load/client-process.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { pinProcess, type Cpus } from '../support/cpus.ts';
import { cpuSecondsOf } from '../support/processes.ts';
import { atEnd, ownFolder } from '../support/program.ts';
import { askBySignal } from '../support/signal.ts';
import { fillTarget, type Content } from './content.ts';
import { HELD_CONNECTIONS } from './kinds/held-connections.ts';
import { REFUSED_BURST } from './kinds/pipelining.ts';
import { KEY_HEADER } from './kinds/senders.ts';

const PRELOAD = new URL('heap.preload.ts', import.meta.url).href;
export const MEGABYTE = 1_024 ** 2;
const WARM_UP_SECONDS = 2;
/** The server has refused all of a burst long before, and the database has come to rest. */
const BURST_SECONDS = 1;

export interface Target {
  readonly url: string;
  readonly pid: number;
  readonly content: Content;
  readonly mongod: Mongod;
  isRunning(): boolean;
  /** What is in use after a collection, in MB; NaN when the server does not say it. */
  heapMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a server to be attacked, with the limits on, and fills it. It ends with the program.
 *
 * @param entry of the built server
 */
export async function startTarget({ entry, cpus }: { entry: string; cpus: Cpus }): Promise<Target> {
  const { folder, remove } = ownFolder();
  const heapFile = join(folder, 'heap.json');
  const server = await startOwnServer({
    entry,
    nodeOptions: ['--expose-gc', '--import', PRELOAD],
    env: {
      HEAP_FILE: heapFile,
      RATE_LIMITS: 'on',
      // Attackers have more than one network.
      LIMIT_CONTACT: '1000000/1h',
      LOG_LEVEL: 'info',
      DOCS: 'off',
    },
  });
  const forget = atEnd(() => server.stop());
  const { url, pid, isRunning } = server;
  const mongod = server.mongod() as Mongod;
  pinProcess(cpus.server, pid);
  pinProcess(cpus.load, mongod.pid);
  const content = await fillTarget(server.call, mongod);
  await warmUp({ url, cpuSeconds: () => cpuSecondsOf(pid) }, content, cpus);
  return {
    ...{ url, pid, content, mongod, isRunning },
    heapMegabytes: () =>
      askBySignal(pid, heapFile).then(
        (bytes) => Math.round(Number(bytes) / MEGABYTE),
        () => NaN,
      ),
    async stop() {
      await server.stop();
      forget();
      remove();
    },
  };
}

/**
 * V8 compiles what answers reads, takes connections and refuses pipelined requests, as on a server
 * that has run for a while: the first burst takes the server three times the processor time of others.
 */
async function warmUp(
  server: { url: string; cpuSeconds: () => number },
  { article }: Content,
  cpus: Cpus,
): Promise<void> {
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
