/**
 * A worker thread that reads at a fixed rate from both servers, so that the program which breaks things
 * does not slow it down. Ends when it is told anything, after its last answer.
 */
import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { Connections } from '../../load/connections.ts';
import { cycled } from '../../support/statistics.ts';
import type { LoadJob, Sample } from './load.ts';

/** Enough for all that wait while a server answers nobody. */
const CONNECTIONS = 2_000;
const DEADLINE_MS = 20_000;

try {
  setPriority(-10);
} catch {
  // Only root may: what the machine does beside counts then.
}
const { urls, paths, rate } = workerData as LoadJob;
const headers = { 'x-api-key': CREDENTIALS.apiKey };
const servers = urls.map((url) => ({ url, link: new Connections(url, CONNECTIONS, DEADLINE_MS) }));
const samples: Sample[] = [];
let isOver = false;
parentPort?.once('message', () => (isOver = true));

/** Comparable between threads, whose `performance.now` begin at different times. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

async function read(at: number, due: number): Promise<void> {
  const { url, link } = cycled(servers, at);
  const path = cycled(paths, Math.floor(at / servers.length));
  let result = '';
  try {
    const { status, body } = await link.send({ path, headers });
    result = status === 200 ? '200' : `${status} ${body.slice(0, 200)}`;
  } catch (error) {
    result = messageOf(error);
  }
  samples.push({ due, ms: now() - due, where: `${url}${path}`, result });
}

const pending: Promise<void>[] = [];
const startedAt = now();
for (let at = 0; !isOver; at += 1) {
  const due = startedAt + (at / rate) * 1_000;
  while (now() < due) await wait(1);
  pending.push(read(at, due));
}
await Promise.all(pending);
parentPort?.postMessage(samples);
