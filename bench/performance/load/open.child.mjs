/** Requests at a fixed rate; started by open-loop.mjs. */
import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Connections, Problems } from './agent.mjs';
import { receiveJob, untilBegin, untilTold } from './job.mjs';

/** As in nice(1). */
const PRECEDENCE = -10;

goFirst();
const job = await receiveJob();
const connections = new Connections(job.url, job.connections, job);
let problems = new Problems();
await sendAll(job.warmUpSeconds);
let told = await untilBegin();
for (;;) {
  const { latencies, late } = await sendAll(told.seconds ?? job.seconds);
  process.send({ latencies, late, problems: { ...problems } });
  told = await untilTold();
  problems = new Problems();
}

/**
 * A client on a machine of its own sends when it wants to. This one shares a core with the database
 * and other clients; waiting for them would count as a latency of the server.
 */
function goFirst() {
  try {
    setPriority(PRECEDENCE);
  } catch {
    // Whoever is not root may not; `late` tells what that costs.
  }
}

async function sendAll(seconds) {
  const { rate, requests } = job;
  const latencies = [];
  const late = [];
  const pending = [];
  const startedAt = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const due = startedAt + (index / rate) * 1_000;
    // Never early; the timer's millisecond of lateness counts, and `late` tells it.
    while (performance.now() < due) await wait(1);
    late.push(performance.now() - due);
    pending.push(sendOne(requests[index % requests.length], due, latencies));
  }
  await Promise.all(pending);
  return { latencies, late };
}

async function sendOne(request, due, latencies) {
  try {
    const { status, body } = await connections.send(request);
    latencies.push(performance.now() - due);
    const isWrong =
      !job.statuses.includes(status) || (request.answer !== undefined && request.answer !== body);
    if (isWrong) problems.add(`${request.path}: ${status} ${body.slice(0, 200)}`);
  } catch (error) {
    problems.add(`${request.path}: ${error.message}`);
  }
}
