import { table } from '../../scripts/support/table.ts';
import type { Row } from './program.ts';

/** How much of each history is printed. */
export const LINES = 20;

const HEAD = ['promise', 'fault', 'bar', 'measured', 'kept'];

/** The table, what shows each broken promise, and `N passed, N failed`. */
export function reportOf(rows: readonly Row[]): string {
  const cells = rows.map(({ promise, fault, bar, measured, isKept }) => [
    ...[promise, fault, bar, measured],
    isKept ? 'yes' : 'NO',
  ]);
  const broken = rows.filter(({ isKept }) => !isKept);
  const histories = broken.flatMap(({ promise, fault, history = [] }) =>
    history.length === 0 ? [] : [[`${promise}, ${fault}:`, ...history].join('\n  ')],
  );
  const count = `${rows.length - broken.length} passed, ${broken.length} failed`;
  return [table([HEAD, ...cells]), ...histories, count].join('\n\n');
}

/** A row that is kept when there are no violations. @param among how many */
export function zero(
  promise: string,
  fault: string,
  violations: readonly string[],
  among: number,
): Row & { readonly history: readonly string[] } {
  const more = violations.length > LINES ? [`… ${violations.length - LINES} more`] : [];
  return {
    ...{ promise, fault, bar: `0 of ${among}`, measured: String(violations.length) },
    isKept: violations.length === 0 && among > 0,
    history: [...violations.slice(0, LINES), ...more],
  };
}

/** With lines of a log that may say why it is broken. */
export function explained(row: Row, log: readonly string[]): Row {
  return { ...row, history: [...(row.history ?? []), ...log.slice(0, LINES)] };
}
