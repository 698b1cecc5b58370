import { randomUUID } from 'node:crypto';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { Connections, type Request } from '../../load/connections.ts';
import { atRate } from '../../support/at-rate.ts';
import { cycled } from '../../support/statistics.ts';
import { time } from '../bed/client.ts';

const RATE = 500;
const CONNECTIONS = 64;
const DEADLINE_MS = 15_000;
/** One of so many requests writes. */
const WRITES = 20;

export interface Loaded {
  readonly sent: number;
  /** All that was not answered as it should be, a line each. */
  readonly failures: readonly string[];
  /** The texts of the messages that were acknowledged. */
  readonly written: readonly string[];
}

/** 500 requests a second on connections that are kept open, until it is over; nothing is repeated. */
export async function load(
  url: string,
  paths: readonly string[],
  isOver: () => boolean,
): Promise<Loaded> {
  const connections = new Connections(url, CONNECTIONS, DEADLINE_MS);
  const failures: string[] = [];
  const written: string[] = [];
  const requestOf = (at: number): Request & { readonly text?: string } => {
    const headers = { 'x-api-key': CREDENTIALS.apiKey };
    if (at % WRITES !== 0) return { path: cycled(paths, at), headers };
    const text = randomUUID();
    return {
      ...{
        method: 'POST',
        path: '/contact',
        text,
        headers: { ...headers, 'idempotency-key': text },
      },
      body: JSON.stringify({ type: 'faults', msg: text }),
    };
  };
  const sent = await atRate(RATE, isOver, async (at) => {
    const { text, ...request } = requestOf(at);
    const fail = (how: string) => {
      failures.push(`${time()} ${request.method ?? 'GET'} ${url}${request.path}: ${how}`);
    };
    try {
      const { status, body } = await connections.send(request);
      if (status !== 200) fail(`${status} ${body.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
      else if (text !== undefined) written.push(text);
    } catch (error) {
      fail(messageOf(error));
    }
  });
  connections.close();
  return { sent: sent.length, failures, written };
}
