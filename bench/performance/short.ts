import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Circumstances } from '../support/machine/circumstances.ts';
import { median } from '../support/statistics.ts';
import type { Bench } from './bench.ts';
import { SHORT_FORM } from './cases/all.ts';
import type { Row } from './report.ts';

const FILE = fileURLToPath(new URL('reference.json', import.meta.url));
const TRIES = 3;
/** Share of its reference that a ratio must reach. It is low because the speed of machines varies. */
const LEAST_SHARE = 2 / 3;

/**
 * Measures the rows of the short form (with `--only`, the rows of the named cases), and compares each ratio with
 * its reference. A row with a ratio that is too low is measured again, up to TRIES times in all.
 * @returns whether all ratios are high enough
 */
export async function compareWithReference(bench: Bench): Promise<boolean> {
  const { only } = bench.options;
  const { ratios } = JSON.parse(readFileSync(FILE, 'utf8')) as { ratios: Record<string, number> };
  let allHold = true;
  for (const [one, rows] of SHORT_FORM) {
    let wanted = only.length === 0 || only.includes(one.name) ? rows : [];
    for (let attempt = 1; attempt <= TRIES && wanted.length > 0; attempt += 1) {
      const measured = await bench.run(one, wanted);
      wanted = wanted.filter((row) => !checkRatio(row, ratios[row], measured, attempt));
    }
    allHold &&= wanted.length === 0;
  }
  return allHold;
}

/** Prints a ratio with its reference. @returns whether the ratio is high enough */
function checkRatio(
  row: string,
  reference: number | undefined,
  measured: readonly Row[],
  attempt: number,
): boolean {
  if (reference === undefined) throw new Error(`reference.json has no ratio for "${row}"`);
  // A case that failed as a whole has a single row, with the reason.
  const { ratio, note } = measured.find((one) => one.case === row) ?? { note: measured[0]?.note };
  const isHigh = (ratio ?? 0) >= reference * LEAST_SHARE;
  const figures = `${(ratio ?? 0).toFixed(3)} (reference ${reference.toFixed(3)})`;
  const reason = ratio === undefined ? `: ${note}` : '';
  console.log(`${isHigh ? 'ok  ' : 'LOW '} ${row}: ${figures}, try ${attempt}${reason}`);
  return isHigh;
}

/** Measures each row of the short form three times and writes the medians to reference.json. */
export async function writeReference(
  bench: Bench,
  { date, machine, node, mongodb }: Circumstances,
): Promise<void> {
  const ratios: Record<string, number> = {};
  for (const [one, rows] of SHORT_FORM) {
    const tries: Row[][] = [];
    for (let attempt = 0; attempt < TRIES; attempt += 1) tries.push(await bench.run(one, rows));
    for (const row of rows) {
      const ratioIn = (measured: Row[]) => measured.find((it) => it.case === row)?.ratio ?? NaN;
      const found = tries.map(ratioIn);
      if (!found.every(Number.isFinite)) throw new Error(`no ratio of "${row}"`);
      ratios[row] = Number(median(found).toFixed(3));
    }
  }
  writeFileSync(FILE, `${JSON.stringify({ date, machine, node, mongodb, ratios }, null, 2)}\n`);
  console.log(ratios);
}
