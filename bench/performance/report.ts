import { table } from '../../scripts/support/table.ts';
import { messageOf } from '../../scripts/support/user-error.ts';
import type { Measure } from '../load/measure.ts';

/** The threshold of a value. `none` is for values that are only reported. */
export interface Limit {
  readonly kind: 'ratio-min' | 'ratio-max' | 'no-worse' | 'max' | 'none';
  readonly value: number;
  readonly unit?: string;
}

/** The measurement of a case. */
export interface Measured {
  readonly case: string;
  readonly ours?: Partial<Measure>;
  readonly baseline?: Partial<Measure>;
  readonly ratio?: number;
  /** The smallest and the largest value of the rounds. */
  readonly spread?: readonly [number, number];
  /** The value that is compared with the limit; the ratio if left out. */
  readonly value?: number;
  readonly limit: Limit;
  readonly note?: string;
}

/** A line of the report. */
export interface Row extends Omit<Measured, 'limit'> {
  /** The limit; undefined if nothing was measured. */
  readonly limit?: Limit;
  /** Whether the value keeps the limit; null without a limit, or if the case was not run. */
  readonly reached: boolean | null;
}

interface Comparison {
  readonly sign: string;
  readonly unit: string;
  readonly digits: number;
  readonly holds: (value: number, limit: number) => boolean;
}

const atMost = { sign: '<=', holds: (value: number, limit: number) => value <= limit };
const COMPARISONS: Record<Limit['kind'], Comparison> = {
  'ratio-min': { sign: '>=', unit: ' x', digits: 3, holds: (value, limit) => value >= limit },
  'ratio-max': { ...atMost, unit: ' x', digits: 3 },
  // The best round decides: if its ratio reaches 1, a ratio of the medians below 1 is within the spread.
  'no-worse': { sign: 'best >=', unit: ' x', digits: 3, holds: (value, limit) => value >= limit },
  max: { ...atMost, unit: '', digits: 1 },
  none: { sign: '', unit: ' x', digits: 3, holds: () => true },
};

export const NO_LIMIT: Limit = { kind: 'none', value: NaN };

/** Makes the row of a measurement, with whether its value keeps the limit. */
export function rowOf(measured: Measured): Row {
  const { limit, ratio, spread, value = ratio ?? NaN } = measured;
  const figure = limit.kind === 'no-worse' ? (spread?.[1] ?? NaN) : value;
  const holds = Number.isFinite(figure) && COMPARISONS[limit.kind].holds(figure, limit.value);
  return { ...measured, value, reached: limit.kind === 'none' ? null : holds };
}

/** The row of a case that was not run. */
export function notRun(name: string, reason: string): Row {
  return { case: name, reached: null, note: `not run: ${reason}` };
}

/** The row of a case that failed with an error; its threshold counts as missed. */
export function failed(name: string, error: unknown): Row {
  const [reason = ''] = messageOf(error).split('\n');
  return { case: name, reached: false, note: `failed: ${reason}` };
}

const HEAD = [
  'case',
  'server',
  'rate/s',
  'per CPU-s',
  'CPU us',
  'core %',
  'p50 ms',
  'p99 ms',
  'p99.9 ms',
  'value',
  'spread',
  'threshold',
  'met',
];

/** A table with a line for Pressroom and a line for the baseline in each row, and the notes below it. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => [
    [row.case, ...measureCells('Pressroom', row.ours), ...verdictCells(row)],
    ...(row.baseline ? [['', ...measureCells('baseline', row.baseline), '', '', '', '']] : []),
  ]);
  return [table([HEAD, ...lines]), '', ...notesOf(rows)].join('\n');
}

/** One line for each note, which begins with the names of its rows. */
function notesOf(rows: readonly Row[]): string[] {
  const notes = [...new Set(rows.flatMap(({ note }) => note || []))];
  return notes.map((note) => {
    const noted = rows.filter((row) => row.note === note).map((row) => row.case);
    return `${noted.join('; ')}: ${note}`;
  });
}

function measureCells(name: string, measure: Partial<Measure> | undefined): string[] {
  const cell = (value = NaN, digits: number) =>
    Number.isFinite(value) ? value.toFixed(digits) : '';
  const { rate, perCpuSecond, cpuMicros, busy = NaN, p50, p99, p999 } = measure ?? {};
  return [
    measure ? name : '',
    cell(rate, 0),
    cell(perCpuSecond, 0),
    cell(cpuMicros, 1),
    cell(busy * 100, 0),
    cell(p50, 2),
    cell(p99, 2),
    cell(p999, 2),
  ];
}

function verdictCells({ limit, value = NaN, spread, reached, note = '' }: Row): string[] {
  if (limit === undefined) return ['', '', '', note.startsWith('not run') ? 'not run' : 'FAILED'];
  const { sign, digits, unit: defaultUnit } = COMPARISONS[limit.kind];
  const unit = limit.unit === undefined ? defaultUnit : ` ${limit.unit}`;
  return [
    Number.isFinite(value) ? `${value.toFixed(digits)}${unit}` : '',
    spread ? spread.map((edge) => edge.toFixed(digits)).join('-') : '',
    limit.kind === 'none' ? '' : `${sign} ${limit.value}${unit}`,
    reached === null ? '-' : reached ? 'yes' : 'NO',
  ];
}
