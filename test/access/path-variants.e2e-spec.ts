import { beforeAll, describe, expect, it } from '@jest/globals';
import { send, sendBytes, type RawAnswer, type RawRequest } from '../platform/http/raw-http.js';
import { API_KEY, startApp } from '../support/start-app.js';
import { API_ROUTES, PAGE_ROUTES, withHead, type Route } from '../routes/routes.js';
import { changesSince, forAll, lineOf, requestOf, restore, shortened } from './ask.js';
import { expectedOf, KEY_NAMES, TARGET_KINDS, TOKEN_NAMES, type Case } from './cases.js';
import { DatabaseImage } from './database-image.js';
import { otherCasesOf, REROUTING_HEADERS, spellingsOf } from './spellings.js';
import { credentialsOf, openFixture, type Fixture } from './fixture.js';

const ROUTES = withHead<Route>([...API_ROUTES, ...PAGE_ROUTES]);
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => ({ path }));
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'];

/** Stored at some time after a request has passed, if at all. */
const LAST_USE = /,"lastUsedAt":"[^"]*"/g;

/** What the HTTP layer says before any guard has run. */
const BEFORE_GUARDS =
  /"message":"(not found: no such path|method not allowed: use [A-Z, ]+|the path is not validly percent-encoded|malformed HTTP request)"/;
const REFUSALS = [400, 404, 405, 501];
/** Fields that differ between two answers to the same request. */
const VOLATILE =
  /"(_id|at|durationMs|timestamp|accessToken|refreshToken|token|key|secret|prefix|\w+At)":("[^"]*"|\d+)/g;

/** A variant of a request for a route; its name is for the report. */
interface Variant {
  readonly name: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: 'same' | 'same or refused' | 'no such path';
}

describe('Every route by other spellings', () => {
  let fixture: Fixture;
  let before: DatabaseImage;

  beforeAll(async () => {
    fixture = await openFixture();
    before = await DatabaseImage.take(fixture.db);
  });

  describe.each(ROUTES)('$route', (route) => {
    it.each(callersOf(route))(
      'should apply the same checks to each variant, with $key key and token $token',
      async (caller) => {
        const testCase = { route, ...caller, target: firstServedTarget(route) };
        expect(shortened(await deviationsOf(testCase))).toEqual([]);
      },
    );
  });

  /** Asks a case by its path and by every variant of it, and compares. */
  async function deviationsOf(testCase: Case): Promise<string[]> {
    const { writes } = testCase.route;
    const [url, path, request] = requestOf(fixture, testCase);
    const ask = (target: string, headers: RawRequest['headers'] = {}): Promise<RawAnswer> =>
      send(url, target, { ...request, headers: { ...request.headers, ...headers } });
    const isPassed = expectedOf(testCase)?.status === 200;
    const original = await ask(path);
    await restore(fixture, await changesSince(before, fixture));
    const deviations: string[] = [];
    const check = async ({ name, target, headers, expected }: Variant): Promise<void> => {
      const answer = await ask(target, headers);
      if (!isAsExpected(expected, answer, original, isPassed)) {
        deviations.push(`${name}: ${target}: ${answer.status} ${answer.text}`);
      }
      if (!isPassed || writes.length === 0 || answer.status !== 200) return;
      // It may write what the path itself writes; the next one finds everything as it was.
      const changes = await changesSince(before, fixture);
      const unexpected = changes.filter(({ collection }) => !writes.includes(collection));
      deviations.push(...unexpected.map((change) => `${name}: ${lineOf(change)}`));
      await restore(fixture, changes);
    };
    const variants = variantsOf(path, credentialsOf(fixture, validCredentials(testCase.route)));
    if (isPassed && writes.length > 0) for (const variant of variants) await check(variant);
    else await forAll(variants, check);
    const touched = await changesSince(before, fixture);
    await restore(fixture, touched);
    return [...deviations, ...touched.map(lineOf)];
  }

  describe.each(PATHS)('$path', ({ path }) => {
    const served = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
    const route = ROUTES.find((candidate) => candidate.path === path) as Route;

    it('should refuse every other method, whoever asks, and name its own', async () => {
      const testCase = { route, ...validCredentials(route), target: firstServedTarget(route) };
      const [url, target, { headers = {} }] = requestOf(fixture, testCase);
      for (const method of METHODS.filter((candidate) => !served.includes(candidate))) {
        for (const given of [headers, {}]) {
          const answer = await send(url, target, { method, headers: given });
          expect([method, answer.status]).toEqual([method, 405]);
          expect(answer.headers['allow']).toBe([...served].sort().join(', '));
        }
      }
      expect((await changesSince(before, fixture)).map(lineOf)).toEqual([]);
    });

    it('should answer OPTIONS with nothing but the headers of a preflight', async () => {
      const testCase = { route, ...validCredentials(route), target: firstServedTarget(route) };
      const [url, target, { headers = {} }] = requestOf(fixture, testCase);
      const preflight = { origin: 'http://a.example', 'access-control-request-method': 'PUT' };
      for (const given of [{}, preflight, headers, { ...headers, ...preflight }]) {
        const answer = await send(url, target, { method: 'OPTIONS', headers: given });
        expect(answer).toMatchObject({ status: 204, text: '' });
      }
      expect((await changesSince(before, fixture)).map(lineOf)).toEqual([]);
    });

    it('should not understand a broken request line, nor open a tunnel', async () => {
      const testCase = { route, ...validCredentials(route), target: firstServedTarget(route) };
      const [url, target, { headers = {} }] = requestOf(fixture, testCase);
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
      const ask = (line: string): Promise<RawAnswer> =>
        sendBytes(url, [line, 'host: a', 'connection: close', ...fields, '', ''].join('\r\n'));
      for (const method of ['get', 'Get', 'delete', 'FETCH', 'GET\t']) {
        const answer = await ask(`${method} ${target} HTTP/1.1`);
        expect([method, answer.status]).toEqual([method, 400]);
        expect(answer.text).toMatch(BEFORE_GUARDS);
      }
      expect((await ask(`GET ${target.slice(1)} HTTP/1.1`)).text).toMatch(BEFORE_GUARDS);
      expect((await ask(`CONNECT ${target} HTTP/1.1`)).text).toBe('');
      expect((await changesSince(before, fixture)).map(lineOf)).toEqual([]);
    });
  });

  it('should open no tunnel', async () => {
    const { host } = new URL(fixture.url);
    const lines = [`CONNECT ${host} HTTP/1.1`, `host: ${host}`, `x-api-key: ${API_KEY}`, '', ''];
    const { status, text } = await sendBytes(fixture.url, lines.join('\r\n'));
    expect({ status, text }).toEqual({ status: NaN, text: '' });
  });

  it('should refuse OPTIONS like any other method where no origin is allowed', async () => {
    const bare = await startApp({ uri: fixture.uri, env: { NODE_ENV: 'production', DOCS: 'off' } });
    for (const { path } of API_ROUTES) {
      const { status } = await send(bare.url, path, { method: 'OPTIONS' });
      expect([path, status]).toEqual([path, 405]);
    }
  });
});

/** Who is asked to try: each of the checks of a route is what stops one of them. */
function callersOf(route: Route): Pick<Case, 'key' | 'token'>[] {
  const nobody = { key: 'none', token: 'none' } as const;
  // It is served as GET is, which everyone below asks for.
  if (route.method === 'HEAD') return [nobody];
  return [
    nobody,
    ...(route.access.token === 'none' ? [] : [{ key: 'good', token: 'none' } as const]),
    ...(route.access.role === null ? [] : [{ key: 'good', token: 'of a LEARNER' } as const]),
    validCredentials(route),
  ];
}

/** A key and a token that pass every check of a route. */
function validCredentials(route: Route): Pick<Case, 'key' | 'token'> {
  const target = firstServedTarget(route);
  const pairs = KEY_NAMES.flatMap((key) => TOKEN_NAMES.map((token) => ({ key, token })));
  // The last: more is in order with it than with the first that will do.
  const passed = pairs.findLast((pair) => {
    const outcome = expectedOf({ route, ...pair, target });
    return outcome !== null && outcome.status === route.outcomes[target];
  });
  if (!passed) throw new Error(`nobody passes ${route.route}`);
  return passed;
}

/** A target that a route serves, or the only one that it can have. */
function firstServedTarget({ parameter, outcomes }: Route): Case['target'] {
  const targets = TARGET_KINDS[parameter];
  return targets.find((target) => outcomes[target] === 200) ?? targets[0] ?? 'nothing';
}

/** @param credentials that the row lets through, where the server must not look for any */
function variantsOf(target: string, credentials: Readonly<Record<string, string>>): Variant[] {
  const [path = '', query = ''] = target.split('?');
  return variantsOfPath(path, credentials).map((variant) => ({
    ...variant,
    target: withQuery(variant.target, query),
  }));
}

/** Adds a query before the fragment, or to the query that is there. */
function withQuery(target: string, query: string): string {
  if (query === '') return target;
  const [path = '', ...fragment] = target.split('#');
  return [`${path}${path.includes('?') ? '&' : '?'}${query}`, ...fragment].join('#');
}

function variantsOfPath(path: string, credentials: Readonly<Record<string, string>>): Variant[] {
  const { 'x-api-key': key = '', authorization = '' } = credentials;
  const token = authorization.replace('Bearer ', '');
  const parameter = path.split('/').findLast((segment) => /\d/.test(segment)) ?? null;
  return [
    ...spellingsOf(path).map(({ isEquivalent, ...spelling }) => ({
      ...spelling,
      expected: isEquivalent ? ('same' as const) : ('same or refused' as const),
    })),
    ...otherCasesOf(path, parameter).map((target) => ({
      name: 'in other letters',
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
  isPassed: boolean,
): boolean {
  const isSameResponse =
    answer.status === original.status &&
    withoutVolatileValues(answer.text) === withoutVolatileValues(original.text);
  if (expected === 'same') return isSameResponse;
  if (expected === 'no such path') return answer.status === 404 && isBeforeGuards(answer);
  const isRefused = REFUSALS.includes(answer.status) && (isPassed || isBeforeGuards(answer));
  return isSameResponse || isRefused;
}

/** A HEAD has no body; only its status tells. */
function isBeforeGuards({ text }: RawAnswer): boolean {
  return text === '' || BEFORE_GUARDS.test(text);
}

function withoutVolatileValues(text: string): string {
  return text.replaceAll(LAST_USE, '').replaceAll(VOLATILE, '"$1":…');
}
