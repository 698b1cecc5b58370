/** Requests at a fixed rate; started by open-loop.mjs. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Connections, Problems } from './agent.mjs';

process.on('disconnect', () => process.exit());

const [job] = await once(process, 'message');
const connections = new Connections(job.url, job.connections);
const problems = new Problems();
const latencies = [];
const late = [];
await sendAll();
process.send({ latencies, late, problems: { ...problems } });

async function sendAll() {
  const { rate, seconds, requests } = job;
  const pending = [];
  const startedAt = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const due = startedAt + (index / rate) * 1_000;
    // Never early; the timer's millisecond of lateness counts, and `late` tells it.
    while (performance.now() < due) await wait(1);
    late.push(performance.now() - due);
    pending.push(sendOne(requests[index % requests.length], due));
  }
  await Promise.all(pending);
}

async function sendOne(request, due) {
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
