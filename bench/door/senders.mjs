import { setTimeout as wait } from 'node:timers/promises';
import { Connections } from '../performance/load/agent.mjs';
import { DEADLINE_MS } from './deadline.mjs';

/** After a request that got no answer: a server that refuses connections would be asked for ever. */
const BACK_OFF_MS = 20;

/**
 * Clients that each send the next request once the last one is answered, until it is over; the last
 * ones are waited for.
 *
 * @param requestOf from the numbers of client and turn to a request of `Connections`
 * @param kindOf from a client's number to the name under which its answers are counted
 * @param over resolves when it is enough
 * @returns `answers`: how many of each kind and status, or error; `longestMs`
 */
export async function sendUntil({ url, clients, requestOf, kindOf, pauseMs = 0 }, over) {
  const connections = new Connections(url, clients, { deadlineMs: DEADLINE_MS });
  const report = { answers: {}, longestMs: 0 };
  let isOver = false;
  void over.then(() => (isOver = true));
  const send = async (client, turn) => {
    const sentAt = performance.now();
    const { status, code } = await connections
      .send(requestOf(client, turn))
      .catch((error) => error);
    report.longestMs = Math.max(report.longestMs, performance.now() - sentAt);
    const name = [kindOf?.(client), status ?? code ?? 'no answer'].filter(Boolean).join(' ');
    report.answers[name] = (report.answers[name] ?? 0) + 1;
    if (status === undefined) await wait(BACK_OFF_MS);
  };
  const client = async (_, number) => {
    for (let turn = 0; !isOver; turn += 1) {
      await send(number, turn);
      if (pauseMs > 0) await wait(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  connections.close();
  return report;
}
