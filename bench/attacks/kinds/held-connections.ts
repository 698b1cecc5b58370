import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '../../load/client-process.ts';
import { cycled, range } from '../../support/statistics.ts';
import type { AttackReport } from '../figures.ts';

/** The `module` of attacks that hold connections. Their job is a `HeldJob`. */
export const HELD_CONNECTIONS = import.meta.url;
/** Address of the attackers, by which their connections are recognised. */
export const ATTACKERS_ADDRESS = '127.0.0.2';
/** Number of connections that are opened at the same time: more would not fit into the backlog of the server. */
const OPENED_AT_ONCE = 50;
const DRIP_MS = 1_000;

/** The bytes that a connection sends. */
export interface SentBytes {
  /** The name of the kind in the report on cut connections; without a name they are not reported. */
  readonly name?: string;
  /** The first bytes of a connection. Long ones are a Buffer that the connections share. */
  readonly first: string | Buffer;
  /** Whether one more byte follows every second. */
  readonly isDripping?: boolean;
}

export interface HeldJob {
  readonly count: number;
  /** The connections get these kinds in round robin. */
  readonly kinds: readonly SentBytes[];
  /** Whether the connections read what the server sends. */
  readonly isReading: boolean;
}

/** Called by load/child.ts, which imports this module by its URL. @public */
export function client(job: HeldJob & { url: string }): Run<AttackReport> {
  return (_, over) => holdConnections(job, over);
}

/**
 * Opens connections, writes the first bytes of each, and holds them until `over`. Before that the attackers close none.
 * @returns `answers` counts the answers by status, if they are read. `notes` says for each kind after how many seconds
 *   the server has closed or reset the connections.
 */
async function holdConnections(
  { url, count, kinds, isReading }: HeldJob & { url: string },
  over: Promise<void>,
): Promise<AttackReport> {
  const { hostname: host, port } = new URL(url);
  const address = { host, port: Number(port), localAddress: ATTACKERS_ADDRESS };
  const answers: Record<string, number> = {};
  const cuts = kinds.map((): number[] => []);
  let opened = 0;
  const hold = (index: number) => {
    const { first, isDripping = false } = cycled(kinds, index);
    const socket = connect({ ...address, allowHalfOpen: true });
    let openedAt = NaN;
    let drip: NodeJS.Timeout | undefined;
    const recordCut = () => {
      if (!Number.isNaN(openedAt)) {
        cycled(cuts, index).push((performance.now() - openedAt) / 1_000);
      }
      openedAt = NaN;
    };
    // The socket is paused before it connects; otherwise Node would read answers into its own buffer.
    if (!isReading) socket.pause();
    else {
      socket.once('data', (chunk) => {
        const status = chunk.toString('latin1', 9, 12);
        answers[status] = (answers[status] ?? 0) + 1;
      });
    }
    socket.on('connect', () => {
      opened += 1;
      openedAt = performance.now();
      socket.write(first);
      if (isDripping) drip = setInterval(() => socket.write('a'), DRIP_MS);
    });
    socket.on('end', recordCut);
    // A reset is expected, so the error is no failure.
    socket.on('error', recordCut);
    socket.on('close', () => {
      clearInterval(drip);
      recordCut();
    });
    return socket;
  };
  const sockets = [];
  for (let index = 0; index < count; index += 1) {
    sockets.push(hold(index));
    if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await wait(20);
  }
  await over;
  const notes = kinds.flatMap(({ name }, kind) => (name ? noteOf(name, cuts[kind] ?? []) : []));
  for (const socket of sockets) socket.destroy();
  return { answers, opened, longestAnswerMs: 0, notes };
}

function noteOf(name: string, seconds: readonly number[]): string {
  const times = range(seconds).map((edge) => edge.toFixed(1));
  return `${name}: ${seconds.length} cut after ${times.join('-')} s`;
}
