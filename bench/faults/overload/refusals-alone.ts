import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../../scripts/node-flags.mjs';
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
 * @returns what is left of the work that it does without requests: 1 is all
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
  const work = async (afterRequests = 0): Promise<number> => {
    child.send({ milliseconds: WORK_MS, afterRequests } satisfies WorkOrder);
    const [units] = (await once(child, 'message')) as [number];
    return units;
  };
  const before = await work();
  // After a second of load, and a second of it is left afterwards.
  const beside = work(rate);
  const load = { requests, rate, seconds: 2 + WORK_MS / 1_000, warmUp: 0 };
  await measureLoad({ url: `http://127.0.0.1:${port}`, ...load }, cpus);
  const share = (2 * (await beside)) / (before + (await work()));
  child.kill();
  return share;
}
