import { send, type RawAnswer, type RawRequest } from '../http/raw-http.js';
import { until } from '../support/wait.js';
import { expectedOf, type Cell, type Refusal } from './axes.js';
import { DatabaseImage, undo, type Change } from './database-image.js';
import { credentialsOf, nameOf, type Stage } from './stage.js';

/** Requests that change nothing may be under way together. */
const AT_ONCE = 8;

const MOST_SHOWN = 20;

export interface Asked {
  /** How many answers came. */
  readonly count: number;
  /** A line for each that was another than the table says, or wrote what it may not. */
  readonly deviations: readonly string[];
}

/**
 * Asks every cell and compares answers and stored records with what the table says. The database
 * is afterwards what it was before.
 *
 * @param before an image of the database as it is
 */
export async function askCells(
  stage: Stage,
  cells: readonly Cell[],
  before: DatabaseImage,
): Promise<Asked> {
  const deviations: string[] = [];
  let count = 0;
  const ask = async (cell: Cell): Promise<void> => {
    const problem = problemOf(cell, await send(...requestOf(stage, cell)));
    if (problem !== null) deviations.push(`${titleOf(cell)}: ${problem}`);
    count += 1;
  };
  await forAll(
    cells.filter((cell) => !isWrite(cell)),
    ask,
  );
  const touched = await changesSince(before, stage);
  deviations.push(...touched.map((change) => `${lineOf(change)} by a refusal or a read`));
  await restore(stage, touched);

  for (const cell of cells.filter(isWrite)) {
    await ask(cell);
    const changes = await changesSince(before, stage);
    deviations.push(
      ...strayChanges(stage, cell, changes).map((line) => `${titleOf(cell)}: ${line}`),
    );
    await restore(stage, changes);
  }
  return { count, deviations };
}

/** The first deviations; one broken guard makes hundreds. */
export function shortened(deviations: readonly string[]): string[] {
  const shown = deviations.slice(0, MOST_SHOWN).map((line) => line.slice(0, 300));
  const left = deviations.length - shown.length;
  return left > 0 ? [...shown, `and ${left} more`] : shown;
}

/** Does the work for all items, a few at a time. */
export async function forAll<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** What `send` needs to ask a cell. */
export function requestOf(stage: Stage, cell: Cell): [url: string, path: string, RawRequest] {
  const { row, token } = cell;
  const name = nameOf(stage, cell);
  const { refreshToken } = stage.callers[token].session;
  const body = JSON.stringify(row.body)?.replace(':id', name).replace(':refresh', refreshToken);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...credentialsOf(stage, cell), ...type };
  const request = { method: row.method, headers, ...(body === undefined ? {} : { body }) };
  return [stage.url, pathOf(row.path, name), request];
}

function pathOf(path: string, name: string): string {
  // It stands for every path; this one needs most.
  if (path === '*') return '/admin/users';
  return path.replace(/:(id|slug)/, encodeURIComponent(name)).replace(':tag', 'no-such-tag');
}

export function changesSince(before: DatabaseImage, { db }: Stage): Promise<Change[]> {
  return DatabaseImage.take(db).then((after) => before.changesTo(after));
}

export async function restore(stage: Stage, changes: readonly Change[]): Promise<void> {
  await undo(stage.db, changes);
  if (!changes.some(({ collection }) => collection === 'api_keys')) return;
  await until('the key to work again', async () => {
    const { status } = await stage.client.get('/auth/verify/apikey');
    return status === 200;
  });
}

export function lineOf({ collection, before, after, id }: Change): string {
  const what = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return `${collection} ${id} ${what}`;
}

function isWrite(cell: Cell): boolean {
  return cell.row.writes.length > 0 && expectedOf(cell)?.status === 200;
}

/** @returns in what an answer is not what the table says, or null */
function problemOf(cell: Cell, { status, headers, text }: RawAnswer): string | null {
  const { method, token } = cell.row;
  const expected = expectedOf(cell);
  if (expected === null) return 'the table has no entry';
  if (status !== expected.status) return `${status} instead of ${expected.status} ${text}`;
  const isRefused = 'code' in expected;
  const isPrivate = isRefused || token !== 'none';
  if (isPrivate && headers['cache-control'] !== 'no-store') return 'a cache may keep it';
  if (headers['x-content-type-options'] !== 'nosniff') return 'its type may be guessed';
  if (method === 'HEAD') return text === '' ? null : 'a body';
  return isRefused ? refusalProblemOf(expected, headers, text) : null;
}

function refusalProblemOf(
  { status, code, message, instruction }: Refusal,
  headers: RawAnswer['headers'],
  text: string,
): string | null {
  if (headers['instruction'] !== instruction) return 'another instruction';
  const body = JSON.parse(text) as Record<string, unknown>;
  const isExpected =
    typeof message === 'string'
      ? body['message'] === message
      : message.test(String(body['message']));
  const fields = [...(status === 422 ? ['errors'] : []), 'code', 'message', 'status'].sort();
  const isComplete = Object.keys(body).sort().join() === fields.sort().join();
  const isThis = body['code'] === code && body['status'] === status;
  return isExpected && isComplete && isThis ? null : `another refusal: ${text}`;
}

/** A write reaches the collections of its row, there only what the caller may reach, no others. */
function strayChanges(stage: Stage, cell: Cell, changes: readonly Change[]): string[] {
  const { writes } = cell.row;
  const missing = writes
    .filter((name) => !changes.some(({ collection }) => collection === name))
    .map((name) => `nothing changed in ${name}`);
  const stray = changes
    .filter((change) => !writes.includes(change.collection) || !isWithinReach(stage, cell, change))
    .map((change) => `${lineOf(change)} although it should not be reached`);
  return [...missing, ...stray];
}

function isWithinReach(stage: Stage, cell: Cell, { collection, id, before }: Change): boolean {
  const { userId } = stage.callers[cell.token];
  const isNew = before === undefined;
  const owners = [id, String(before?.['user']), String(before?.['author'])];
  const isCallers = owners.includes(userId);
  const isTarget = cell.row.names !== 'nothing' && id === nameOf(stage, cell);
  return collection === 'roles' || (cell.row.names === 'nothing' ? isNew || isCallers : isTarget);
}

function titleOf({ key, token, target }: Cell): string {
  return `key ${key}, token ${token}, ${target}`;
}
