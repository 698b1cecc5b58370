import { median } from '../support/statistics.ts';
import type { Round } from './run-attack.ts';

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
    baseline: { most: most(({ baseline }) => baseline.max) },
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
