import { table } from '../../scripts/support/table.ts';
import { quantile } from './statistics.ts';

/** A line of the report of a program. */
export interface Finding {
  /** The part of the program, such as the attack or the fault. */
  readonly group?: string;
  readonly what: string;
  readonly measured: string;
  /** The required value; left out where the value is only reported. */
  readonly threshold?: string;
  /** Whether the threshold is met. */
  readonly isMet?: boolean;
  /** Lines that show why the threshold is missed. */
  readonly history?: readonly string[];
}

/** Largest number of violations, or of lines of a log, that a history shows. */
export const LINES = 20;

/** A finding that is met when the value is at most the limit. @param limit the largest value that is allowed */
export function atMost(what: string, value: number, limit: number, unit = ''): Finding {
  const [measured, threshold] = [numberOf(value) + unit, `<= ${numberOf(limit)}${unit}`];
  return { what, measured, threshold, isMet: value <= limit };
}

/** A finding that is met when the value is at least the limit. @param limit the smallest value that is allowed */
export function atLeast(what: string, value: number, limit: number): Finding {
  const [measured, threshold] = [numberOf(value), `>= ${numberOf(limit)}`];
  return { what, measured, threshold, isMet: value >= limit };
}

/**
 * A finding about times in milliseconds. If there is a limit, the longest time is compared with it. Infinity
 * stands for an event that never happened, and is above every limit.
 */
export function timesOf(what: string, times: readonly number[], limit?: number): Finding {
  const seen = times.filter(Number.isFinite);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(seen, share).toFixed(0));
  const never = times.length - seen.length;
  const measured = [
    ...(seen.length > 0 ? [`p50 ${p50}, p99 ${p99}, max ${max} ms`] : []),
    ...(never > 0 ? [`${never} of ${times.length} never`] : []),
  ].join(', ');
  if (limit === undefined) return { what, measured };
  const isMet = times.length > 0 && times.every((time) => time <= limit);
  return { what, measured, threshold: `max <= ${limit} ms`, isMet };
}

/** A finding that is met when there are no violations. @param among number of possible violations */
export function zero(
  what: string,
  group: string,
  violations: readonly string[],
  among: number,
): Finding & { readonly history: readonly string[] } {
  const more = violations.length > LINES ? [`… ${violations.length - LINES} more`] : [];
  return {
    group,
    what,
    measured: String(violations.length),
    threshold: `0 of ${among}`,
    isMet: violations.length === 0 && among > 0,
    history: [...violations.slice(0, LINES), ...more],
  };
}

/** Adds lines of a log that may say why the threshold is missed. */
export function explained(finding: Finding, log: readonly string[]): Finding {
  return { ...finding, history: [...(finding.history ?? []), ...log.slice(0, LINES)] };
}

/**
 * Prints the table of the findings, the histories of missed thresholds, and the line `N passed, N failed`. Sets the
 * exit code of the program to 1 if a threshold is missed.
 */
export function report(findings: readonly Finding[], heading = 'case'): void {
  const isGrouped = findings.some(({ group }) => group !== undefined);
  const groupCell = (group: string) => (isGrouped ? [group] : []);
  const rows = findings.map(({ what, group = '', threshold = '-', measured, isMet }) => [
    what,
    ...groupCell(group),
    threshold,
    measured,
    isMet === undefined ? '-' : isMet ? 'yes' : 'NO',
  ]);
  const missed = findings.filter(({ isMet }) => isMet === false);
  const histories = missed.flatMap(({ what, group, history = [] }) => {
    const title = group === undefined ? what : `${what}, ${group}`;
    return history.length === 0 ? [] : [[`${title}:`, ...history].join('\n  ')];
  });
  const passed = findings.filter(({ isMet }) => isMet === true).length;
  const head = [heading, ...groupCell('under'), 'threshold', 'measured', 'met'];
  const last = `${passed} passed, ${missed.length} failed`;
  console.log([table([head, ...rows]), ...histories, last].join('\n\n'));
  process.exitCode = missed.length > 0 ? 1 : 0;
}

export function numberOf(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1);
}
