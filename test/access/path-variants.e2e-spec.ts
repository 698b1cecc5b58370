import { beforeAll, describe, expect, it } from '@jest/globals';
import { send, sendBytes, type RawAnswer, type RawRequest } from '../platform/http/raw-http.js';
import { cycled, isLong } from '../support/scale.js';
import { API_KEY } from '../support/start-app.js';
import { API_ROUTES, PAGE_ROUTES, withHead, type Route } from '../routes/routes.js';
import { changesSince, forAll, lineOf, requestOf, restore, shortened } from './ask.js';
import { expectedOf, servedTarget, validCredentials, type Case } from './cases.js';
import { DatabaseImage, type Change } from './database-image.js';
import { letterCaseVariantsOf, REROUTING_HEADERS, spellingsOf } from './spellings.js';
import { credentialsOf, openFixture, type Fixture } from './fixture.js';

const ROUTES = [...API_ROUTES, ...PAGE_ROUTES].map((route: Route, index) => ({ ...route, index }));
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path, index) => ({ path, index }));
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'];

/** Matches the last use of a key. It may change between two answers, so they are compared without it. */
const LAST_USE = /,"lastUsedAt":"[^"]*"/g;

/** Matches the warnings of unknown parameters, which the variants of a query cause. */
const UNKNOWN_PARAMETERS =
  /,"warnings":\[\{"field":"[^"]*","message":"[^"]* is unknown here and was ignored[^\]]*\]/;

/** Matches the answers of the HTTP layer before any guard has run. */
const BEFORE_GUARDS =
  /"message":"(not found: no such path|method not allowed: use [A-Z, ]+|the path is not validly percent-encoded|malformed HTTP request)"/;
const REFUSAL_STATUSES = [400, 404, 405, 501];
/** Matches fields that differ between two answers to the same request. */
const VOLATILE_FIELDS =
  /"(_id|job|at|durationMs|timestamp|accessToken|refreshToken|token|challenge|key|secret|prefix|\w+At)":("[^"]*"|\d+)/g;

/** A variant of a request for a route; its name is for the report. */
interface Variant {
  readonly name: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: 'same' | 'same or refused' | 'no such path';
}

describe('Every route under other spellings', () => {
  let fixture: Fixture;
  let before: DatabaseImage;

  beforeAll(async () => {
    fixture = await openFixture();
    before = await DatabaseImage.take(fixture.db);
  });

  const changes = async (): Promise<Change[]> => changesSince(before, fixture);
  const askerOf = (testCase: Case) => {
    const [url, path, request] = requestOf(fixture, testCase);
    const ask = (target: string, headers: RawRequest['headers'] = {}): Promise<RawAnswer> =>
      send(url, target, { ...request, headers: { ...request.headers, ...headers } });
    return { path, ask };
  };

  it.each(ROUTES)('should apply the same checks to each variant: $route', async (route) => {
    const cases = callersOf(route);
    const deviations: string[] = [];
    for (const [caseIndex, testCase] of cases.entries()) {
      const { path, ask } = askerOf(testCase);
      const credentials = credentialsOf(fixture, validCredentials(route));
      // `npm run test:long` sends each variant for every caller, `npm test` for one caller.
      const variants = variantsOf(path, credentials, route.index).filter(
        (_, index) => isLong || (index + route.index) % cases.length === caseIndex,
      );
      const original = await ask(path);
      const isAdmitted = expectedOf(testCase)?.status === 200;
      const check = async ({ name, target, headers, expected }: Variant): Promise<void> => {
        const answer = await ask(target, headers);
        if (isAsExpected(expected, answer, original, isAdmitted)) return;
        deviations.push(`${testCase.token}: ${name}: ${target}: ${answer.status} ${answer.text}`);
      };
      if (!isAdmitted || route.writes.length === 0) {
        await forAll(variants, check);
        continue;
      }
      await restore(fixture, await changes());
      for (const variant of variants) {
        await check(variant);
        // A variant may write what the path itself writes. The database is restored for the next variant.
        const changesOfVariant = await changes();
        const unexpected = changesOfVariant.filter(
          ({ collection }) => !route.writes.includes(collection),
        );
        deviations.push(...unexpected.map((change) => `${variant.name}: ${lineOf(change)}`));
        await restore(fixture, changesOfVariant);
      }
    }
    const touched = await changes();
    await restore(fixture, touched);
    expect(shortened([...deviations, ...touched.map(lineOf)])).toEqual([]);
  });

  it.each(PATHS)('should be served by its own methods only: $path', async ({ path, index }) => {
    const served = withHead(ROUTES.filter((route) => route.path === path));
    const [route] = served;
    if (!route) throw new Error(`no route has the path ${path}`);
    const testCase = { route, ...validCredentials(route), target: servedTarget(route) };
    const [url, target, { headers = {} }] = requestOf(fixture, testCase);
    const allowed = served.map(({ method }) => method).sort();
    for (const method of METHODS.filter((candidate) => !allowed.includes(candidate))) {
      for (const sentHeaders of [headers, {}]) {
        const answer = await send(url, target, { method, headers: sentHeaders });
        expect([method, answer.status, answer.headers['allow']]).toEqual([
          method,
          405,
          allowed.join(', '),
        ]);
      }
    }
    const preflight = { origin: 'http://a.example', 'access-control-request-method': 'PUT' };
    for (const sentHeaders of [{}, { ...headers, ...preflight }]) {
      const answer = await send(url, target, { method: 'OPTIONS', headers: sentHeaders });
      expect(answer).toMatchObject({ status: 204, text: '' });
    }
    const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
    const brokenRequestLines = [
      ...['get', 'Get', 'delete', 'FETCH', 'GET\t'].map((method) => `${method} ${target}`),
      `GET ${target.slice(1)}`,
    ];
    for (const line of isLong ? brokenRequestLines : [cycled(brokenRequestLines, index)]) {
      const lines = [`${line} HTTP/1.1`, 'host: a', 'connection: close', ...headerLines, '', ''];
      const answer = await sendBytes(url, lines.join('\r\n'));
      expect([line, answer.status]).toEqual([line, 400]);
      expect(answer.text).toMatch(BEFORE_GUARDS);
    }
    expect((await changes()).map(lineOf)).toEqual([]);
  });

  it('should open no tunnel with CONNECT, neither to a path nor to a host', async () => {
    const { host } = new URL(fixture.url);
    for (const target of ['/admin/users', host]) {
      const lines = [
        `CONNECT ${target} HTTP/1.1`,
        `host: ${host}`,
        `x-api-key: ${API_KEY}`,
        '',
        '',
      ];
      const { status, text } = await sendBytes(fixture.url, lines.join('\r\n'));
      expect({ status, text }).toEqual({ status: NaN, text: '' });
    }
  });
});

/** For each check of the route a caller whom this check stops, and one caller whom all checks let pass. */
function callersOf(route: Route): Case[] {
  const { method, path, access } = route;
  const target = servedTarget(route);
  const nobody = { key: 'none', token: 'none' } as const;
  // HEAD is served like GET, so one caller is enough for it.
  const head = { ...route, method: 'HEAD', route: `HEAD ${path}` };
  return [
    { route, ...nobody, target },
    ...(method === 'GET' ? [{ route: head, ...nobody, target }] : []),
    ...(access.token === 'none' ? [] : [{ route, key: 'good', token: 'none', target } as const]),
    ...(access.roles.length === 0
      ? []
      : [{ route, key: 'good', token: 'of a LEARNER', target } as const]),
    { route, ...validCredentials(route), target },
  ];
}

/** @param credentials valid credentials: one variant puts them into the query, where the server must ignore them */
function variantsOf(
  target: string,
  credentials: Readonly<Record<string, string>>,
  shift: number,
): Variant[] {
  const [path = '', query = ''] = target.split('?');
  return variantsOfPath(path, credentials, shift).map((variant) => ({
    ...variant,
    target: withQuery(variant.target, query),
  }));
}

/** Adds a query to a target, which may already have a query or a fragment. */
function withQuery(target: string, query: string): string {
  if (query === '') return target;
  const [path = '', ...fragment] = target.split('#');
  return [`${path}${path.includes('?') ? '&' : '?'}${query}`, ...fragment].join('#');
}

function variantsOfPath(
  path: string,
  credentials: Readonly<Record<string, string>>,
  shift: number,
): Variant[] {
  const { 'x-api-key': key = '', authorization = '' } = credentials;
  const token = authorization.replace('Bearer ', '');
  const parameter = path.split('/').findLast((segment) => /\d/.test(segment)) ?? null;
  const allSpellings = spellingsOf(path);
  const kinds = [...new Set(allSpellings.map(({ kind }) => kind))];
  // `npm test` sends one spelling of each kind, `npm run test:long` all.
  const spellings = isLong
    ? allSpellings
    : kinds.map((kind, index) =>
        cycled(
          allSpellings.filter((one) => one.kind === kind),
          index + shift,
        ),
      );
  return [
    ...spellings.map(({ name, target, isEquivalent }) => ({
      name,
      target,
      expected: isEquivalent ? ('same' as const) : ('same or refused' as const),
    })),
    ...letterCaseVariantsOf(path, parameter).map((target) => ({
      name: 'in another letter case',
      target,
      expected: 'no such path' as const,
    })),
    ...REROUTING_HEADERS.map((headers) => ({
      name: `with ${headers['x-http-method-override']} in the headers`,
      target: path,
      headers,
      expected: 'same' as const,
    })),
    {
      name: 'with credentials in the query',
      target: `${path}?x-api-key=${key}&api_key=${key}&access_token=${token}`,
      expected: 'same',
    },
  ];
}

function isAsExpected(
  expected: Variant['expected'],
  answer: RawAnswer,
  original: RawAnswer,
  isAdmitted: boolean,
): boolean {
  const isSameResponse =
    answer.status === original.status &&
    withoutVolatileValues(answer.text) === withoutVolatileValues(original.text);
  if (expected === 'same') return isSameResponse;
  if (expected === 'no such path') return answer.status === 404 && isBeforeGuards(answer);
  const isRefused =
    REFUSAL_STATUSES.includes(answer.status) && (isAdmitted || isBeforeGuards(answer));
  return isSameResponse || isRefused;
}

/** Whether the HTTP layer may have answered. The answer to a HEAD has no body that could show it. */
function isBeforeGuards({ text }: RawAnswer): boolean {
  return text === '' || BEFORE_GUARDS.test(text);
}

function withoutVolatileValues(text: string): string {
  return text
    .replace(UNKNOWN_PARAMETERS, '')
    .replaceAll(LAST_USE, '')
    .replaceAll(VOLATILE_FIELDS, '"$1":…');
}
