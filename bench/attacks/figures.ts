import { table } from '../../scripts/support/table.ts';
import { numberOf } from '../support/findings.ts';
import { median, type Latencies } from '../support/statistics.ts';

/** The report of an attack's client. */
export interface AttackReport {
  /** Number of answers of each kind, by its name. */
  readonly answers: Record<string, number>;
  readonly longestAnswerMs: number;
  /** Number of connections that were opened, if the attack holds connections. */
  readonly opened?: number;
  /** Further remarks for the table. */
  readonly notes?: readonly string[];
}

/** Latencies in milliseconds, and the number of failed requests. */
export type Reads = Latencies & { readonly max: number; readonly failed: number };

/** Measurements of one round of an attack. */
export interface Round {
  /** Latencies of the reader without the attack, and during it. */
  readonly quiet: Reads;
  readonly attacked: Reads;
  /** Latencies of /health/live of the attacked server. */
  readonly live: Reads;
  /** Latencies of the baseline, a server on the same core that nobody attacks: they show the delays of the machine. */
  readonly baseline: Reads;
  /** Resident memory of the server in MB. */
  readonly rss: { readonly before: number; readonly most: number; readonly after: number };
  /** Number of connections that the server still holds, and seconds until none was left (NaN if some are left). */
  readonly cut: { readonly left: number; readonly lastSeconds: number };
  readonly report: AttackReport;
}

export type Figures = ReturnType<typeof figuresOf>;

/**
 * Combines the rounds of an attack: medians of the reader's latencies, sums of answers and failures, and maxima of the
 * other figures, but `before` is of the first round, and `after` and `notes` are of the last one.
 * @param rounds at least one
 * @param heap heap in MB before and after the attack, each after a collection; NaN when the server did not report it
 * @param ended number of times that the server has ended
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
      most(({ report, attacked }) => Math.max(report.longestAnswerMs, attacked.max)) / 1_000,
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

const HEAD = [
  'attack',
  'reader p50 ms',
  'p99 ms',
  'failed',
  '/health/live max ms',
  'baseline max ms',
  'RSS before/max/after MB',
  'heap MB',
  'attackers got',
];

/** A table of the figures of each attack. */
export function figuresTable(results: readonly { name: string; figures: Figures }[]): string {
  return table([HEAD, ...results.map(({ name, figures }) => [name, ...cellsOf(figures)])]);
}

function cellsOf(figures: Figures): string[] {
  const { quiet, attacked, failedReads, live, baseline, rss, heap } = figures;
  const change = (before: number, after: number) => `${numberOf(before)} -> ${numberOf(after)}`;
  return [
    change(quiet.p50, attacked.p50),
    change(quiet.p99, attacked.p99),
    String(failedReads),
    live.failed > 0 ? `${numberOf(live.most)} (${live.failed} failed)` : numberOf(live.most),
    numberOf(baseline.most),
    [rss.before, rss.most, rss.after].map((megabytes) => numberOf(megabytes)).join('/'),
    change(heap.before, heap.after),
    attackersGot(figures),
  ];
}

function attackersGot({ answers, notes, cut, ended, longestSeconds }: Figures): string {
  const parts = Object.entries(answers).map(([name, count]) => `${name}: ${count}`);
  if (cut.opened > 0) {
    const cuts = `${cut.opened - cut.left} of ${cut.opened} connections cut`;
    parts.push(cut.left === 0 ? `${cuts}, the last after ${numberOf(cut.lastSeconds)} s` : cuts);
  }
  parts.push(...notes);
  if (ended > 0) parts.push('THE SERVER HAS ENDED');
  parts.push(`longest ${numberOf(longestSeconds)} s`);
  return parts.join(', ');
}
