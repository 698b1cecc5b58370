import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../../bin/node-flags.mjs';
import { pinProcess, type Cpus } from '../../support/cpus.ts';
import { LOAD_PRIORITY, tryRenice } from '../../support/processes.ts';
import { ownProcess } from '../../support/program.ts';
import { measureLoad } from './load.ts';
import type { Sent } from './requests.ts';

const CHILD = fileURLToPath(new URL('refuser.ts', import.meta.url));
const WORK_MS = 3_000;

export interface WorkOrder {
  readonly milliseconds: number;
  /** How many must have come before the work begins. */
  readonly afterRequests: number;
}

/**
 * What Node itself takes for refusals: a server that only refuses works beside that, on the core that was the
 * other server's.
 *
 * @param rate of requests a second
 * @returns the share of its time that is left for work
 */
export async function shareBesideRefusals(
  rate: number,
  requests: readonly Sent[],
  cpus: Cpus,
): Promise<number> {
  const child = ownProcess(fork(CHILD, { execArgv: [...NODE_FLAGS] }));
  const [port] = (await once(child, 'message')) as [number];
  const { pid = 0 } = child;
  pinProcess(cpus.server, pid);
  tryRenice(pid, LOAD_PRIORITY);
  // After a second of load, and a second of it is left afterwards.
  child.send({ milliseconds: WORK_MS, afterRequests: rate } satisfies WorkOrder);
  const load = { requests, rate, seconds: 2 + WORK_MS / 1_000, warmUp: 0 };
  const [[share]] = (await Promise.all([
    once(child, 'message'),
    measureLoad({ url: `http://127.0.0.1:${port}`, ...load }, cpus),
  ])) as [[number], unknown];
  child.kill();
  return share;
}
