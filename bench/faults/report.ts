import { table } from '../../scripts/support/table.ts';
import type { Row } from './program.ts';

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
