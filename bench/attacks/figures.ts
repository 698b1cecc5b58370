import { median } from '../support/statistics.ts';

/** What the client of an attack reports. */
export interface AttackReport {
  /** How many of each kind came, by its name. */
  readonly answers: Record<string, number>;
  readonly longestMs: number;
  /** Connections that stay: how many were connected. */
  readonly opened?: number;
  /** For the table. */
  readonly notes?: readonly string[];
}

/** Latencies in milliseconds, and how many reads failed. */
export interface Reads {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly failed: number;
}

/** Resident memory of the server in MB. */
export interface Memory {
  before: number;
  most: number;
  after: number;
}

/** Connections of the attackers that the server holds: `lastSeconds` until none was left, NaN
 * while there are some. */
export interface Cut {
  left: number;
  lastSeconds: number;
}

export interface Round {
  readonly quiet: Reads;
  readonly attacked: Reads;
  /** Of /health/live. */
  readonly live: Reads;
  readonly rss: Memory;
  readonly cut: Cut;
  readonly report: AttackReport;
  readonly recoverySeconds: number;
}

export type Figures = ReturnType<typeof figuresOf>;

/**
 * Puts the rounds of an attack together: medians of the readers' latencies, and the worst of the rest.
 *
 * @param rounds at least one
 * @param heap of the server in MB after a collection; NaN when the server did not say it
 * @param ended how often the server has ended
 */
export function figuresOf(
  rounds: readonly Round[],
  { heap, ended }: { heap: { before: number; after: number }; ended: number },
) {
  const most = (of: (round: Round) => number) => Math.max(...rounds.map(of));
  const sum = (of: (round: Round) => number) => rounds.reduce((all, round) => all + of(round), 0);
  const middle = (name: 'quiet' | 'attacked') => ({
    p50: median(rounds.map((round) => round[name].p50)),
    p99: median(rounds.map((round) => round[name].p99)),
  });
  return {
    quiet: middle('quiet'),
    attacked: middle('attacked'),
    failedReads: sum(({ quiet, attacked }) => quiet.failed + attacked.failed),
    live: { most: most(({ live }) => live.max), failed: sum(({ live }) => live.failed) },
    rss: {
      before: rounds[0]?.rss.before ?? NaN,
      most: most(({ rss }) => rss.most),
      after: rounds.at(-1)?.rss.after ?? NaN,
    },
    cut: {
      opened: most(({ report }) => report.opened ?? 0),
      left: most(({ cut }) => cut.left),
      lastSeconds: most(({ cut }) => cut.lastSeconds),
    },
    answers: addUp(rounds.map(({ report }) => report.answers)),
    notes: rounds.at(-1)?.report.notes ?? [],
    longestSeconds:
      most(({ report, attacked }) => Math.max(report.longestMs, attacked.max)) / 1_000,
    recoverySeconds: most(({ recoverySeconds }) => recoverySeconds),
    heap,
    ended,
  };
}

function addUp(counts: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) {
    total[name] = (total[name] ?? 0) + count;
  }
  return total;
}
