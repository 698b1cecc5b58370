import { UserError } from '../../../scripts/support/user-error.ts';
import type { Case } from '../bench.ts';
import * as cached from './reads/cached.ts';
import * as depth from './reads/depth.ts';
import * as lists from './reads/lists.ts';
import * as pictures from './reads/pictures.ts';
import * as similar from './reads/similar.ts';
import * as uncached from './reads/uncached.ts';
import { MEMORY, START } from './server/process.ts';
import * as uploads from './server/uploads.ts';
import * as writes from './server/writes.ts';

/** The cases run in this order: those of reads before the one that writes. */
const CASES: readonly Case[] = [
  cached,
  uncached,
  lists,
  depth,
  similar,
  pictures,
  uploads,
  writes,
  MEMORY,
  START,
];

/** The rows of the short form. They take little time, and each covers another part of the server. */
export const SHORT_FORM: readonly (readonly [Case, rows: readonly string[]])[] = [
  [cached, ['article by slug', 'article by slug, 304']],
  [uncached, ['article by slug, uncached']],
  [lists, ['latest, uncached', 'by tag, uncached']],
  [pictures, ['cached picture']],
];

/** The cases that compare with a baseline, which may be another build. */
export const CASES_WITH_BASELINE: readonly Case[] = [cached, uncached, lists, writes];

/** @param only names of cases; empty for all @throws UserError for an unknown name */
export function casesOf(only: readonly string[], cases: readonly Case[] = CASES): readonly Case[] {
  const names = cases.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new UserError(`no such case: ${unknown.join(', ')}; there are ${names.join(', ')}`);
  }
  return cases.filter(({ name }) => only.length === 0 || only.includes(name));
}
