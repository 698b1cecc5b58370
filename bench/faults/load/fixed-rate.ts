import { atRate } from '../../support/timing.ts';
import { cycled } from '../../support/statistics.ts';
import { time, type Client, type Sent } from '../testbed/client.ts';

export interface Loaded {
  readonly sent: number;
  /** All that was not answered by 2xx, a line each. */
  readonly failures: readonly string[];
  /** The requests that were answered by 2xx and wrote something. */
  readonly written: readonly Sent[];
}

/** Sends requests at a fixed rate, however late the answers are, until it is over; nothing is repeated. */
export async function sendAtRate(
  clients: readonly Client[],
  { rate, requestAt }: { readonly rate: number; readonly requestAt: (at: number) => Sent },
  isOver: () => boolean,
): Promise<Loaded> {
  const failures: string[] = [];
  const written: Sent[] = [];
  const sent = await atRate(rate, isOver, async (at) => {
    const request = requestAt(at);
    const outcome = await cycled(clients, at).send(request);
    const { method = 'GET', path } = request;
    if (outcome.kind === 'answered' && outcome.status < 300) {
      if (method !== 'GET') written.push(request);
      return;
    }
    const how = outcome.kind === 'lost' ? outcome.why : `${outcome.status} ${outcome.text}`;
    failures.push(`${time()} ${method} ${path}: ${how.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  });
  return { sent: sent.length, failures, written };
}
