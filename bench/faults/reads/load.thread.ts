/**
 * A worker thread that reads at a fixed rate from both servers, so that the program which breaks things
 * does not slow it down. Ends when it is told anything, after its last answer.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { Connections } from '../../load/connections.ts';
import { atRate } from '../../support/at-rate.ts';
import { LOAD_PRIORITY, tryRenice } from '../../support/processes.ts';
import { cycled } from '../../support/statistics.ts';
import type { LoadJob, Sample } from './load.ts';

/** Enough for all that wait while a server answers nobody. */
const CONNECTIONS = 2_000;
const DEADLINE_MS = 20_000;

tryRenice(0, LOAD_PRIORITY);
const { urls, paths, rate } = workerData as LoadJob;
const headers = { 'x-api-key': CREDENTIALS.apiKey };
const servers = urls.map((url) => ({ url, link: new Connections(url, CONNECTIONS, DEADLINE_MS) }));
let isOver = false;
parentPort?.once('message', () => (isOver = true));

async function read(at: number, due: number): Promise<Sample> {
  const { url, link } = cycled(servers, at);
  const path = cycled(paths, Math.floor(at / servers.length));
  let result = '';
  try {
    const { status, body } = await link.send({ path, headers });
    result = status === 200 ? '200' : `${status} ${body.slice(0, 200)}`;
  } catch (error) {
    result = messageOf(error);
  }
  // Comparable between threads, whose `performance.now` begin at different times.
  const dueAt = performance.timeOrigin + due;
  return { due: dueAt, ms: performance.now() - due, where: `${url}${path}`, result };
}

parentPort?.postMessage(await atRate(rate, () => isOver, read));
