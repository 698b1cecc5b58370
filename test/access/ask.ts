import { REASONS, type Reason } from '../../src/platform/http/errors/reasons.js';
import { send, type RawAnswer, type RawRequest } from '../platform/http/raw-http.js';
import { SHARED_COLLECTIONS } from '../support/mongo/mongo.js';
import { typedBody, type TypedBody } from '../support/media/forms.js';
import { until } from '../support/time/wait.js';
import { pathTo, SUBMITTED_REV, validBody, validQuery } from '../routes/calls.js';
import type { Call } from '../routes/row.js';
import { expectedOf, type Case, type Refusal } from './cases.js';
import { DatabaseImage, undo, type Change } from './database-image.js';
import { credentialsOf, parameterOf, type Fixture } from './fixture.js';

/** How many requests are sent concurrently if they change nothing. */
const CONCURRENCY = 8;

const MAX_SHOWN = 20;

/**
 * Sends the request of every case, and compares the answer and the stored records with the `Row` of the
 * route (test/routes/row.ts). Restores the database at the end.
 *
 * @param before an image of the database, taken before the call
 * @returns a line for each answer that differs from its row, and for each write that is missing or not allowed
 * @throws Error if there are no cases
 */
export async function askCases(
  fixture: Fixture,
  cases: readonly Case[],
  before: DatabaseImage,
): Promise<string[]> {
  if (cases.length === 0) throw new Error('there are no cases');
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
      ...writeProblemsOf(fixture, testCase, changes).map((line) => `${titleOf(testCase)}: ${line}`),
    );
    await restore(fixture, changes);
  }
  return deviations;
}

/** The first 20 deviations, because one broken guard causes hundreds. */
export function shortened(deviations: readonly string[]): string[] {
  const shown = deviations.slice(0, MAX_SHOWN).map((line) => line.slice(0, 300));
  const omitted = deviations.length - shown.length;
  return omitted > 0 ? [...shown, `and ${omitted} more`] : shown;
}

/** Does the work for all items, for CONCURRENCY items at a time. */
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

/** The arguments with which `send` sends the request of a case. */
export function requestOf(
  fixture: Fixture,
  testCase: Case,
): [url: string, path: string, RawRequest] {
  const { route } = testCase;
  const target = parameterOf(fixture, testCase);
  const call = callOf(fixture, testCase, target);
  const body = bodyOf(testCase, call);
  const type = body === undefined ? {} : { 'content-type': body.type };
  const headers = { ...credentialsOf(fixture, testCase), ...type, ...route.headers };
  const request = {
    method: route.method,
    headers,
    ...(body === undefined ? {} : { body: body.bytes }),
  };
  // `*` stands for every path. `/admin/users` is a path that requires a key, a token and a role.
  const path = route.path === '*' ? '/admin/users' : pathTo(route, parametersOf(route, target));
  return [fixture.url, path + validQuery(route, call), request];
}

/** A body that is invalid for every route. A route must refuse a malformed path before it checks this body. */
const INVALID_BODY = { title: 1, roles: 'none', enabled: 'maybe', comment: 0 };

/** The body of a case: invalid for a malformed path, `{}` if the row expects status 422, else valid. */
function bodyOf({ route, target }: Case, call: Call): TypedBody | undefined {
  if (route.body === undefined) return undefined;
  const { method, path } = route;
  if (target === 'malformed') return typedBody(method, path, INVALID_BODY);
  const isEmpty = route.outcomes.nothing === 422;
  return typedBody(method, path, isEmpty ? {} : validBody(route, call));
}

function callOf(fixture: Fixture, { token }: Case, target: string): Call {
  const people = {
    otherAuthor: fixture.other,
    editor: fixture.other,
    userWithMaxSessions: fixture.other,
  };
  return { people, caller: fixture.callers[token].session, target };
}

/** The parameters of the path. The path to one revision has the id of the blog and the number of the revision. */
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

/** @returns how an answer differs from its row, or null */
function problemOf(testCase: Case, { status, headers, text }: RawAnswer): string | null {
  const { method, access } = testCase.route;
  const expected = expectedOf(testCase);
  if (expected === null) return 'its row has no outcome';
  if (status !== expected.status) return `${status} instead of ${expected.status} ${text}`;
  const isRefused = 'code' in expected;
  const isPrivate = isRefused || access.token !== 'none';
  if (isPrivate && headers['cache-control'] !== 'no-store') return 'a cache may store it';
  if (headers['x-content-type-options'] !== 'nosniff') return 'a client may guess its type';
  if (method === 'HEAD') return text === '' ? null : 'HEAD has a body';
  return isRefused ? refusalProblemOf(expected, headers, text) : null;
}

function refusalProblemOf(
  { status, code, message, instruction }: Refusal,
  headers: RawAnswer['headers'],
  text: string,
): string | null {
  if (headers['instruction'] !== instruction) return 'a wrong header instruction';
  const body = JSON.parse(text) as Record<string, unknown>;
  const hasMessage =
    typeof message === 'string'
      ? body['message'] === message
      : message.test(String(body['message']));
  const fields = ['code', 'status', 'message', 'reason', ...(status === 422 ? ['errors'] : [])];
  const hasFields = Object.keys(body).join() === fields.join();
  const hasCodes =
    body['code'] === code &&
    body['status'] === status &&
    REASONS[body['reason'] as Reason]?.status === status;
  return hasMessage && hasFields && hasCodes ? null : `a wrong refusal: ${text}`;
}

/** @returns a line for each unchanged collection in `writes` of the row, and for each change that is not allowed */
function writeProblemsOf(fixture: Fixture, testCase: Case, changes: readonly Change[]): string[] {
  const { writes } = testCase.route;
  const missing = writes
    .filter(
      (name) =>
        !SHARED_COLLECTIONS.includes(name) &&
        !changes.some(({ collection }) => collection === name),
    )
    .map((name) => `nothing changed in ${name}`);
  const unexpected = changes
    .filter(
      (change) =>
        !writes.includes(change.collection) || !isAllowedChange(fixture, testCase, change),
    )
    .map((change) => `${lineOf(change)} although the request may not change it`);
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
  if (SHARED_COLLECTIONS.includes(collection)) return after !== undefined;
  // The bytes of a picture are looked after when its record is gone.
  if (collection === 'media_files') return true;
  if (collection === 'audit') return isNew && String(after?.['actor']) === userId;
  // What leads to an account or an invitation: a new mail and its link, or the end of former links.
  if (['mails', 'one_time_tokens'].includes(collection)) {
    return isNew || String(before['owner']) === parameterOf(fixture, testCase);
  }
  const owners = [id, ...['user', 'author', 'by', 'owner'].map((field) => String(before?.[field]))];
  const isOfCaller = owners.includes(userId);
  const target = parameterOf(fixture, testCase);
  // The target may be the record itself, the blog of the record, the author of the blog, the subject of an act, or
  // whose blogs a job changes.
  const targets = [
    id,
    String((after ?? before)?.['blog']),
    String(before?.['author']),
    String(after?.['subject']),
    String(after?.['from']),
  ];
  const isTarget = parameter !== 'nothing' && targets.includes(target);
  // A change that may remove an admin increments the counter `guard` of a role (src/user/last-admin.service.ts).
  return collection === 'roles' || (parameter === 'nothing' ? isNew || isOfCaller : isTarget);
}

function titleOf({ key, token, target }: Case): string {
  return `key ${key}, token ${token}, ${target}`;
}
