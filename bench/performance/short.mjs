import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from './rounds.mjs';

const FILE = fileURLToPath(new URL('reference.json', import.meta.url));
const TRIES = 3;
/** The machines are noisy: a ratio may be a third below the reference. */
const LEAST_SHARE = 2 / 3;

/** Rows of the short form by case: quick to measure, and each guards another part. */
const SHORT_ROWS = {
  warm: ['article by slug', 'article by slug, 304'],
  uncached: ['article by slug, uncached'],
  lists: ['latest, uncached', 'by tag, uncached'],
  writes: ['create, edit, submit, publish'],
};

/**
 * Measures the short form and holds each ratio against the reference; one that is too low is
 * measured again.
 *
 * @param measure a function of a case's name and the names of its rows
 * @param names cases; others have no part in it
 * @returns one result for each row
 */
export async function compareWithReference(measure, { names, log }) {
  const { ratios } = JSON.parse(readFileSync(FILE, 'utf8'));
  const results = [];
  for (const [name, rows] of rowsOf(names)) {
    let wanted = rows;
    for (let attempt = 1; attempt <= TRIES && wanted.length > 0; attempt += 1) {
      const measured = await measure(name, wanted);
      const compared = wanted.map((row) => compare(row, ratios[row], measured, attempt));
      for (const result of compared) log(lineOf(result));
      results.push(...compared.filter(({ holds }) => holds || attempt === TRIES));
      wanted = compared.filter(({ holds }) => !holds).map(({ row }) => row);
    }
  }
  return results;
}

function rowsOf(names) {
  return Object.entries(SHORT_ROWS).filter(([name]) => names.includes(name));
}

function compare(row, reference, measured, attempt) {
  if (reference === undefined) throw new Error(`reference.json has no ratio for "${row}"`);
  const found = measured.find((one) => one.case === row);
  const ratio = found?.ratio ?? 0;
  const note =
    found === undefined || found.ratio === null ? (found?.note ?? measured[0]?.note) : '';
  return { row, ratio, reference, note, attempt, holds: ratio >= reference * LEAST_SHARE };
}

function lineOf({ row, ratio, reference, note, attempt, holds }) {
  const figures = `${ratio.toFixed(3)} (reference ${reference.toFixed(3)})`;
  return `${holds ? 'ok  ' : 'LOW '} ${row}: ${figures}, try ${attempt}${note ? `: ${note}` : ''}`;
}

/** Measures each row of the short form three times and keeps the medians as the new reference. */
export async function writeReference(measure, where) {
  const ratios = {};
  for (const [name, rows] of Object.entries(SHORT_ROWS)) {
    const tries = [];
    for (let attempt = 0; attempt < TRIES; attempt += 1) tries.push(await measure(name, rows));
    for (const row of rows) {
      const found = tries.map((measured) => measured.find((one) => one.case === row)?.ratio);
      if (found.some((ratio) => !Number.isFinite(ratio))) throw new Error(`no ratio of "${row}"`);
      ratios[row] = Number(median(found).toFixed(3));
    }
  }
  const { date, machine, node, mongodb } = where;
  writeFileSync(FILE, `${JSON.stringify({ date, machine, node, mongodb, ratios }, null, 2)}\n`);
  return ratios;
}
