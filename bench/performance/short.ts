import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Circumstances } from '../support/circumstances.ts';
import { median } from '../support/statistics.ts';
import type { Row } from './report.ts';

const FILE = fileURLToPath(new URL('reference.json', import.meta.url));
const TRIES = 3;
/** The machines are noisy: a ratio may be a third below the reference. */
const LEAST_SHARE = 2 / 3;

/** Rows of the short form by case: quick to measure, and each guards another part. */
const SHORT_ROWS = {
  cached: ['article by slug', 'article by slug, 304'],
  uncached: ['article by slug, uncached'],
  lists: ['latest, uncached', 'by tag, uncached'],
  writes: ['create, edit, submit, publish'],
};

/** From the name of a case and the names of its rows. */
type MeasureCase = (name: string, rows: readonly string[]) => Promise<Row[]>;

/**
 * Measures the short form and holds each ratio against the reference; one that is too low is
 * measured again.
 *
 * @param names cases; others have no part in it
 * @returns whether all of them hold
 */
export async function compareWithReference(
  measure: MeasureCase,
  names: readonly string[],
): Promise<boolean> {
  const { ratios } = JSON.parse(readFileSync(FILE, 'utf8')) as { ratios: Record<string, number> };
  let allHold = true;
  for (const [name, rows] of Object.entries(SHORT_ROWS).filter(([one]) => names.includes(one))) {
    let wanted = rows;
    for (let attempt = 1; attempt <= TRIES && wanted.length > 0; attempt += 1) {
      const measured = await measure(name, wanted);
      wanted = wanted.filter((row) => !isHighEnough(row, ratios[row], measured, attempt));
    }
    allHold &&= wanted.length === 0;
  }
  return allHold;
}

/** Says how a ratio compares with its reference. */
function isHighEnough(
  row: string,
  reference: number | undefined,
  measured: readonly Row[],
  attempt: number,
): boolean {
  if (reference === undefined) throw new Error(`reference.json has no ratio for "${row}"`);
  // A case that broke off as a whole has one row, with the reason.
  const { ratio, note } = measured.find((one) => one.case === row) ?? { note: measured[0]?.note };
  const isHigh = (ratio ?? 0) >= reference * LEAST_SHARE;
  const figures = `${(ratio ?? 0).toFixed(3)} (reference ${reference.toFixed(3)})`;
  const reason = ratio === undefined ? `: ${note}` : '';
  console.log(`${isHigh ? 'ok  ' : 'LOW '} ${row}: ${figures}, try ${attempt}${reason}`);
  return isHigh;
}

/** Measures each row of the short form three times and keeps the medians as the new reference. */
export async function writeReference(
  measure: MeasureCase,
  { date, machine, node, mongodb }: Circumstances,
): Promise<Record<string, number>> {
  const ratios: Record<string, number> = {};
  for (const [name, rows] of Object.entries(SHORT_ROWS)) {
    const tries: Row[][] = [];
    for (let attempt = 0; attempt < TRIES; attempt += 1) tries.push(await measure(name, rows));
    for (const row of rows) {
      const ratioIn = (measured: Row[]) => measured.find((one) => one.case === row)?.ratio ?? NaN;
      const found = tries.map(ratioIn);
      if (!found.every(Number.isFinite)) throw new Error(`no ratio of "${row}"`);
      ratios[row] = Number(median(found).toFixed(3));
    }
  }
  writeFileSync(FILE, `${JSON.stringify({ date, machine, node, mongodb, ratios }, null, 2)}\n`);
  return ratios;
}
