import { UserError } from '../../../scripts/support/user-error.ts';
import type { Case } from '../bench.ts';
import * as batching from './reads/batching.ts';
import * as cached from './reads/cached.ts';
import * as depth from './reads/depth.ts';
import * as lists from './reads/lists.ts';
import * as signedIn from './reads/signed-in.ts';
import * as similar from './reads/similar.ts';
import * as uncached from './reads/uncached.ts';
import * as memory from './server/memory.ts';
import * as signIns from './server/sign-ins.ts';
import * as stalls from './server/stalls.ts';
import * as start from './server/start.ts';
import * as workers from './server/workers.ts';
import * as writes from './server/writes.ts';

/** In this order: what writes comes after what reads. */
const CASES: readonly Case[] = [
  ...[cached, uncached, lists, depth, similar, signedIn, writes],
  ...[signIns, stalls, memory, start, workers, batching],
];

/** @param only names of cases; all when empty @throws UserError for a name that is none */
export function casesOf(only: readonly string[]): readonly Case[] {
  const names = CASES.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new UserError(`no such case: ${unknown.join(', ')}; there are ${names.join(', ')}`);
  }
  return CASES.filter(({ name }) => only.length === 0 || only.includes(name));
}
