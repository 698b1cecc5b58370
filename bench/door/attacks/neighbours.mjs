/** Fifty clients of what is dear to answer: cold similar articles, and the health of the database. */
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { readerP99, readsFailed } from '../bars.mjs';
import { sendUntil } from '../senders.mjs';

const CLIENTS = 50;

const attackOf = (name) => ({
  name,
  module: import.meta.url,
  rounds: { full: 5, short: 2 },
  seconds: { full: 4, short: 2 },
  job: ({ ids }) => ({ kind: name, ids }),
  bars: () => [readerP99, readsFailed],
});

export const ATTACKS = [attackOf('similar'), attackOf('health')];

const headers = { 'x-api-key': CREDENTIALS.apiKey };

const REQUESTS = {
  // An unknown parameter that is never the same: no answer comes from memory.
  similar: ({ ids }, client, turn) => ({
    path: `/blogs/similar/id/${ids[(client * 31 + turn) % ids.length]}?z=${process.pid}-${client}-${turn}`,
    headers,
  }),
  health: () => ({ path: '/health' }),
};

export function attack(job, over) {
  const requestOf = (client, turn) => REQUESTS[job.kind](job, client, turn);
  return sendUntil({ url: job.url, clients: CLIENTS, requestOf }, over);
}
