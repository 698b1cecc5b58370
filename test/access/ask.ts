import { REASONS, type Reason } from '../../src/platform/http/errors/reasons.js';
import { send, type RawAnswer, type RawRequest } from '../platform/http/raw-http.js';
import { until } from '../support/time/wait.js';
import { pathTo, SUBMITTED_REV, validBody, validQuery } from '../routes/calls.js';
import type { Call } from '../routes/row.js';
import { expectedOf, type Case, type Refusal } from './cases.js';
import { DatabaseImage, undo, type Change } from './database-image.js';
import { credentialsOf, parameterOf, type Fixture } from './fixture.js';

/** Requests that change nothing may be under way together. */
const CONCURRENCY = 8;

const MAX_SHOWN = 20;

/**
 * Asks every case and compares answers and stored records with what the row says. The database is
 * afterwards what it was before.
 *
 * @param before an image of the database as it is
 * @returns a line for each answer that was another than its row says, or wrote what it may not
 * @throws Error without a case
 */
export async function askCases(
  fixture: Fixture,
  cases: readonly Case[],
  before: DatabaseImage,
): Promise<string[]> {
  if (cases.length === 0) throw new Error('there is nothing to ask');
  const deviations: string[] = [];
  const ask = async (testCase: Case): Promise<void> => {
    const problem = problemOf(testCase, await send(...requestOf(fixture, testCase)));
    if (problem !== null) deviations.push(`${titleOf(testCase)}: ${problem}`);
  };
  await forAll(
    cases.filter((testCase) => !isWrite(testCase)),
    ask,
  );
  const touched = await changesSince(before, fixture);
  deviations.push(...touched.map((change) => `${lineOf(change)} by a refusal or a read`));
  await restore(fixture, touched);

  for (const testCase of cases.filter(isWrite)) {
    await ask(testCase);
    const changes = await changesSince(before, fixture);
    deviations.push(
      ...unexpectedChanges(fixture, testCase, changes).map(
        (line) => `${titleOf(testCase)}: ${line}`,
      ),
    );
    await restore(fixture, changes);
  }
  return deviations;
}

/** The first deviations; one broken guard makes hundreds. */
export function shortened(deviations: readonly string[]): string[] {
  const shown = deviations.slice(0, MAX_SHOWN).map((line) => line.slice(0, 300));
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
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** What `send` needs to ask a case. */
export function requestOf(
  fixture: Fixture,
  testCase: Case,
): [url: string, path: string, RawRequest] {
  const { route } = testCase;
  const target = parameterOf(fixture, testCase);
  const call = callOf(fixture, testCase, target);
  const body = bodyOf(testCase, call);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...credentialsOf(fixture, testCase), ...type, ...route.headers };
  const request = { method: route.method, headers, ...(body === undefined ? {} : { body }) };
  // `*` stands for every path; this one needs most.
  const path = route.path === '*' ? '/admin/users' : pathTo(route, parametersOf(route, target));
  return [fixture.url, path + validQuery(route, call), request];
}

/** No route reads a body like this, and none looks at it where the path is malformed. */
const INVALID_BODY = JSON.stringify({ title: 1, roles: 'none', enabled: 'maybe', comment: 0 });

/** A valid body, or an empty one where the row says that it does not fit. */
function bodyOf({ route, target }: Case, call: Call): string | undefined {
  if (route.body === undefined) return undefined;
  if (target === 'malformed') return INVALID_BODY;
  if (route.outcomes.nothing === 422) return '{}';
  return JSON.stringify(validBody(route, call));
}

function callOf(fixture: Fixture, { token }: Case, target: string): Call {
  const people = {
    otherAuthor: fixture.other,
    editor: fixture.other,
    userWithMaxSessions: fixture.other,
  };
  return { people, caller: fixture.callers[token].session, target };
}

/** Of a path to a revision, the second one is its number. */
function parametersOf({ parameter, path }: Case['route'], target: string): string {
  const hasNumber = parameter === 'revision' && path.endsWith('/:rev');
  return hasNumber ? `${target}/${SUBMITTED_REV}` : target;
}

export function changesSince(before: DatabaseImage, { db }: Fixture): Promise<Change[]> {
  return DatabaseImage.take(db).then((after) => before.changesTo(after));
}

export async function restore(fixture: Fixture, changes: readonly Change[]): Promise<void> {
  await undo(fixture.db, changes);
  if (!changes.some(({ collection }) => collection === 'api_keys')) return;
  await until('the key to work again', async () => {
    const { status } = await fixture.client.get('/auth/verify/apikey');
    return status === 200;
  });
}

export function lineOf({ collection, before, after, id }: Change): string {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return `${collection} ${id} ${kind}`;
}

function isWrite(testCase: Case): boolean {
  return testCase.route.writes.length > 0 && expectedOf(testCase)?.status === 200;
}

/** @returns in what an answer is not what its row says, or null */
function problemOf(testCase: Case, { status, headers, text }: RawAnswer): string | null {
  const { method, access } = testCase.route;
  const expected = expectedOf(testCase);
  if (expected === null) return 'its row has no outcome';
  if (status !== expected.status) return `${status} instead of ${expected.status} ${text}`;
  const isRefused = 'code' in expected;
  const isPrivate = isRefused || access.token !== 'none';
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
  const fields = ['code', 'status', 'message', 'reason', ...(status === 422 ? ['errors'] : [])];
  const isComplete = Object.keys(body).join() === fields.join();
  const isThis =
    body['code'] === code &&
    body['status'] === status &&
    REASONS[body['reason'] as Reason]?.status === status;
  return isExpected && isComplete && isThis ? null : `another refusal: ${text}`;
}

/** A publication adds the words that no article had before. They belong to no record. */
const WORDS = 'search_spellings';

/** A write reaches the collections of its row, there only what the caller may reach, no others. */
function unexpectedChanges(fixture: Fixture, testCase: Case, changes: readonly Change[]): string[] {
  const { writes } = testCase.route;
  const missing = writes
    .filter((name) => name !== WORDS && !changes.some(({ collection }) => collection === name))
    .map((name) => `nothing changed in ${name}`);
  const unexpected = changes
    .filter(
      (change) =>
        !writes.includes(change.collection) || !isAllowedChange(fixture, testCase, change),
    )
    .map((change) => `${lineOf(change)} although it should not be reached`);
  return [...missing, ...unexpected];
}

function isAllowedChange(
  fixture: Fixture,
  testCase: Case,
  { collection, id, before, after }: Change,
): boolean {
  const { userId } = fixture.callers[testCase.token];
  const { parameter } = testCase.route;
  const isNew = before === undefined;
  if (collection === WORDS) return isNew;
  const owners = [id, ...['user', 'author', 'by'].map((field) => String(before?.[field]))];
  const isCallers = owners.includes(userId);
  const target = parameterOf(fixture, testCase);
  // What belongs to a blog is stored in collections of its own, and so are the blogs of a user.
  const targets = [id, String((after ?? before)?.['blog']), String(before?.['author'])];
  const isTarget = parameter !== 'nothing' && targets.includes(target);
  return collection === 'roles' || (parameter === 'nothing' ? isNew || isCallers : isTarget);
}

function titleOf({ key, token, target }: Case): string {
  return `key ${key}, token ${token}, ${target}`;
}
