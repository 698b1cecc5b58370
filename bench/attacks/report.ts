import { table } from '../../scripts/support/table.ts';
import type { Bar, Form } from './bars.ts';
import type { Figures } from './figures.ts';

const HEAD = {
  figures: [
    ...['attack', 'reader p50 ms', 'p99 ms', 'failed'],
    ...['/health/live most ms', 'of the baseline'],
    ...['RSS before/most/after MB', 'heap MB', 'attackers got'],
  ],
  bars: ['attack', 'bar', 'measured', 'at most', 'reached'],
};

export type Judged = ReturnType<typeof judge>[number];

/** Holds the figures of an attack against its bars. What is no number reaches none. */
export function judge(bars: readonly Bar[], figures: Figures, form: Form) {
  return bars.map((barOf) => {
    const { what, value, unit, ...limits } = barOf(figures);
    const limit = form === 'short' ? limits.shortLimit : limits.limit;
    return { what, value, unit, limit, isReached: value <= limit };
  });
}

/** Two tables, and `N passed, N failed`. */
export function reportOf(
  results: readonly { name: string; figures: Figures; bars: readonly Judged[] }[],
): string {
  const figures = results.map((result) => [result.name, ...cellsOf(result.figures)]);
  const bars = results.flatMap(({ name, bars: judged }) =>
    judged.map(({ what, value, limit, unit, isReached }) => [
      ...[name, what, `${numberOf(value)}${unit}`, `${numberOf(limit)}${unit}`],
      isReached ? 'yes' : 'NO',
    ]),
  );
  const judged = results.flatMap((result) => result.bars);
  const passed = judged.filter(({ isReached }) => isReached).length;
  return [
    table([HEAD.figures, ...figures]),
    table([HEAD.bars, ...bars]),
    `${passed} passed, ${judged.length - passed} failed`,
  ].join('\n\n');
}

function cellsOf(figures: Figures): string[] {
  const { quiet, attacked, failedReads, live, baseline, rss, heap } = figures;
  const change = (before: number, after: number) => `${numberOf(before)} -> ${numberOf(after)}`;
  return [
    ...[change(quiet.p50, attacked.p50), change(quiet.p99, attacked.p99), String(failedReads)],
    live.failed > 0 ? `${numberOf(live.most)} (${live.failed} failed)` : numberOf(live.most),
    numberOf(baseline.most),
    [rss.before, rss.most, rss.after].map((megabytes) => numberOf(megabytes)).join('/'),
    change(heap.before, heap.after),
    gotOf(figures),
  ];
}

function gotOf({ answers, notes, cut, ended, longestSeconds }: Figures): string {
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

function numberOf(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value.toFixed(Number.isInteger(value) ? 0 : 1);
}
