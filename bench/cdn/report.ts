import { table } from '../../scripts/support/table.ts';
import { quantile } from '../support/statistics.ts';

/** A line of the report; without a bar it is only told. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly bar?: { readonly text: string; readonly isReached: boolean };
}

/** @param limit the most that the number may be */
export function atMost(what: string, value: number, limit: number, unit = ''): Figure {
  const bar = { text: `<= ${numberOf(limit)}${unit}`, isReached: value <= limit };
  return { what, value: `${numberOf(value)}${unit}`, bar };
}

/** @param limit the least that the number may be */
export function atLeast(what: string, value: number, limit: number, unit = ''): Figure {
  const bar = { text: `>= ${numberOf(limit)}${unit}`, isReached: value >= limit };
  return { what, value: `${numberOf(value)}${unit}`, bar };
}

/**
 * Times in milliseconds, of which the longest is held against the limit, if there is one. Infinity is what
 * never happened, and reaches no limit.
 */
export function timesOf(what: string, times: readonly number[], limit?: number): Figure {
  const seen = times.filter(Number.isFinite);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(seen, share).toFixed(0));
  const never = times.length - seen.length;
  const value = [
    ...(seen.length > 0 ? [`p50 ${p50}, p99 ${p99}, max ${max} ms`] : []),
    ...(never > 0 ? [`${never} of ${times.length} never`] : []),
  ].join(', ');
  if (limit === undefined) return { what, value };
  const isReached = times.length > 0 && times.every((time) => time <= limit);
  return { what, value, bar: { text: `max <= ${limit} ms`, isReached } };
}

/** A table, and `N passed, N failed`. */
export function reportOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, bar }) => [
    ...[what, value, bar?.text ?? '-'],
    bar === undefined ? '-' : bar.isReached ? 'yes' : 'NO',
  ]);
  const failed = countFailed(figures);
  const barred = figures.filter(({ bar }) => bar !== undefined).length;
  return [
    table([['case', 'measured', 'bar', 'reached'], ...rows]),
    `${barred - failed} passed, ${failed} failed`,
  ].join('\n\n');
}

export function countFailed(figures: readonly Figure[]): number {
  return figures.filter(({ bar }) => bar?.isReached === false).length;
}

function numberOf(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1);
}
