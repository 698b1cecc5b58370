import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { table } from '../../scripts/support/table.ts';

/** How a value is held against its limit; `none` is reported without one. */
const LIMITS = {
  'ratio-min': { sign: '>=', unit: ' x', digits: 3, holds: (value, limit) => value >= limit },
  'ratio-max': { sign: '<=', unit: ' x', digits: 3, holds: (value, limit) => value <= limit },
  min: { sign: '>=', unit: '', digits: 1, holds: (value, limit) => value >= limit },
  max: { sign: '<=', unit: '', digits: 1, holds: (value, limit) => value <= limit },
};

/** Reported beside the bars. */
export const NO_LIMIT = { kind: 'none' };

/** Fills in what follows from the rest of a row: its value and whether the bar is reached. */
export function rowOf(row) {
  const { limit, ratio, value = ratio ?? null } = row;
  const reached =
    limit.kind === 'none'
      ? null
      : Number.isFinite(value) && LIMITS[limit.kind].holds(value, limit.value);
  return { ratio: null, spread: null, baseline: null, note: '', ...row, value, reached };
}

/** The row of a bar that this run says nothing about. */
export function notRun(bar, name, reason) {
  return { bar, case: name, ours: null, baseline: null, reached: null, note: `not run: ${reason}` };
}

/** The row of a bar whose case broke off; it counts as not reached. */
export function failed(bar, name, error) {
  const note = `failed: ${error.message.split('\n')[0]}`;
  return { bar, case: name, ours: null, baseline: null, reached: false, note };
}

const HEAD = [
  [
    '#',
    'case',
    'server',
    'rate/s',
    'per CPU-s',
    'CPU us',
    'core %',
    'p50 ms',
    'p99 ms',
    'p99.9 ms',
  ],
  ['value', 'spread', 'bar', 'reached'],
].flat();

/** Two lines for each row, ours and the baseline, and the notes below. */
export function tableOf(rows) {
  const lines = rows.flatMap((row) => [
    [String(row.bar), row.case, ...measureCells('Pressroom', row.ours), ...verdictCells(row)],
    ...(row.baseline ? [['', '', ...measureCells('baseline', row.baseline), '', '', '', '']] : []),
  ]);
  // Text to the left: `table` sets all but the first column to the right.
  const names = Math.max(...lines.map(([, name]) => name.length), HEAD[1].length);
  const padded = [HEAD, ...lines].map(([bar, name, ...rest]) => [
    `${bar.padStart(2)}  ${name.padEnd(names)}`,
    ...rest,
  ]);
  return [table(padded), '', ...notesOf(rows)].join('\n');
}

/** One line for each note, with the rows that it belongs to; the bar's number stands for all of it. */
function notesOf(rows) {
  const notes = [...new Set(rows.map(({ note }) => note).filter(Boolean))];
  return notes.map((note) => {
    const noted = rows.filter((row) => row.note === note);
    const bars = [...new Set(noted.map(({ bar }) => bar))];
    const whole = bars.filter((bar) => rows.every((row) => row.bar !== bar || row.note === note));
    const single = noted.filter(({ bar }) => !whole.includes(bar)).map((row) => row.case);
    return `${[...whole.map((bar) => `#${bar}`), ...single].join('; ')}: ${note}`;
  });
}

function measureCells(name, measure) {
  const cell = (field, digits) =>
    Number.isFinite(measure?.[field]) ? measure[field].toFixed(digits) : '';
  return [
    measure ? name : '',
    cell('rate', 0),
    cell('perCpuSecond', 0),
    cell('cpuMicros', 1),
    Number.isFinite(measure?.busy) ? (measure.busy * 100).toFixed(0) : '',
    cell('p50', 2),
    cell('p99', 2),
    cell('p999', 2),
  ];
}

function verdictCells({ limit, value, spread, reached, note }) {
  if (limit === undefined) return ['', '', '', note.startsWith('not run') ? 'not run' : 'FAILED'];
  const { sign = '', digits = 3, unit: usual = ' x' } = LIMITS[limit.kind] ?? {};
  const unit = limit.unit === undefined ? usual : ` ${limit.unit}`;
  const verdict = { true: 'yes', false: 'NO', null: '-' }[String(reached)];
  return [
    Number.isFinite(value) ? `${value.toFixed(digits)}${unit}` : '',
    spread ? spread.map((edge) => edge.toFixed(digits)).join('-') : '',
    limit.kind === 'none' ? '' : `${sign} ${limit.value}${unit}`,
    verdict,
  ];
}

/**
 * Where, with what and when: a figure without these says nothing.
 *
 * @param folder of the sources; the current one unless told
 */
export function circumstances({ mongoVersion, cpus: pinning, command, count, folder }) {
  const [{ model } = { model: 'unknown processor' }] = cpus();
  return {
    date: new Date().toISOString(),
    command,
    machine: `${cpus().length} x ${model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    pinning: pinning.note,
    // Where others keep the cores busy, the times are theirs.
    loadAverage: loadavg()[0],
    node: process.version,
    mongodb: mongoVersion,
    commit: commit(folder),
    articles: count,
  };
}

/** @returns of the sources; null where there is no repository */
function commit(cwd) {
  try {
    const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['describe', '--always', '--dirty'], options).trim();
  } catch {
    return null;
  }
}

export function circumstancesText(where) {
  return Object.entries(where)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
