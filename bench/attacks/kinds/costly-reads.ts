/** Fifty clients of costly reads: similar articles that are not cached, and the database's health. */
import type { Run } from '../../load/client-process.ts';
import type { Request } from '../../load/connections.ts';
import { cycled } from '../../support/statistics.ts';
import type { Attack } from '../attacks.ts';
import { readerP99, readsFailed } from '../bars.ts';
import type { AttackReport } from '../figures.ts';
import { KEY_HEADER, sendUntil } from './senders.ts';

const CLIENTS = 50;

interface Job {
  readonly kind: keyof typeof REQUESTS;
  readonly ids: readonly string[];
}

const REQUESTS = {
  // An unknown parameter that is never the same: no answer comes from the cache.
  similar: ({ ids }: Job, client: number, turn: number): Request => ({
    path: `/blogs/similar/id/${cycled(ids, client * 31 + turn)}?z=${process.pid}-${client}-${turn}`,
    headers: KEY_HEADER,
  }),
  health: (): Request => ({ path: '/health' }),
};

const attackOf = (kind: Job['kind']): Attack => ({
  name: kind,
  module: import.meta.url,
  rounds: { full: 5, short: 2 },
  seconds: { full: 4, short: 2 },
  job: ({ ids }): Job => ({ kind, ids }),
  bars: () => [readerP99, readsFailed],
});

export const ATTACKS = [attackOf('similar'), attackOf('health')];

export function client({ url, ...job }: Job & { url: string }): Run<AttackReport> {
  const requestOf = (number: number, turn: number) => REQUESTS[job.kind](job, number, turn);
  return (_, over) => sendUntil({ url, clients: CLIENTS, requestOf }, over);
}
