import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../scripts/support/user-error.ts';

/** Ours, which is the candidate, and the baseline. */
export type Pair<Item> = readonly [ours: Item, baseline: Item];

/** @returns the entry point of a built checkout @throws UserError with the usage */
export function entryOf(folder: string | undefined, usage: string): string {
  const entry = folder === undefined ? '' : resolve(folder, 'dist/main.js');
  if (!existsSync(entry)) throw new UserError(`two built checkouts are needed\n\n${usage}`);
  return entry;
}
