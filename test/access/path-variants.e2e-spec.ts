import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, sendBytes, type RawAnswer, type RawRequest } from '../http/raw-http.js';
import { API_KEY, startApp } from '../support/start-app.js';
import { changesSince, forAll, lineOf, requestOf, restore, shortened } from './ask.js';
import { expectedOf, KEY_NAMES, TARGETS, TOKEN_NAMES, type Cell } from './axes.js';
import { DatabaseImage } from './database-image.js';
import { otherCasesOf, REROUTING_HEADERS, spellingsOf } from './spellings.js';
import { credentialsOf, openStage, type Stage } from './stage.js';
import { API_ROWS, DOCS_ROWS, type AccessRow } from './table.js';

const ROWS = [...API_ROWS, ...DOCS_ROWS];
const PATHS = [...new Set(ROWS.map(({ path }) => path))].map((path) => ({ path }));
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'];

/** Noted at some time after a request has passed, if at all. */
const LAST_USE = /,"lastUsedAt":"[^"]*"/g;

/** What the HTTP layer says before any guard has run. */
const BEFORE_GUARDS =
  /"message":"(not found: no such path|method not allowed: use [A-Z, ]+|the path is not validly percent-encoded|malformed HTTP request)"/;
const REFUSALS = [400, 404, 405, 501];
/** Fields that differ between two answers to the same request. */
const VOLATILE = /"(_id|timestamp|accessToken|refreshToken|key|prefix|\w+At)":"[^"]*"/g;

/** One way to ask a row; a name for the report. */
interface Variant {
  readonly name: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: 'same' | 'same or refused' | 'no such path';
}

describe('Every route by other spellings', () => {
  let stage: Stage;
  let before: DatabaseImage;

  beforeAll(async () => {
    stage = await openStage();
    before = await DatabaseImage.take(stage.db);
  });

  afterAll(async () => {
    await stage.close();
  });

  describe.each(ROWS)('$method $path', (row) => {
    it.each(callersOf(row))(
      'should let none reach a weaker check, asked with $key key and token $token',
      async (caller) => {
        const cell = { row, ...caller, target: firstServed(row) };
        expect(shortened(await deviationsOf(cell))).toEqual([]);
      },
    );
  });

  /** Asks a cell by its path and by every variant of it, and compares. */
  async function deviationsOf(cell: Cell): Promise<string[]> {
    const { row } = cell;
    const [url, path, request] = requestOf(stage, cell);
    const ask = (target: string, headers: RawRequest['headers'] = {}): Promise<RawAnswer> =>
      send(url, target, { ...request, headers: { ...request.headers, ...headers } });
    const isPassed = expectedOf(cell)?.status === 200;
    const original = await ask(path);
    await restore(stage, await changesSince(before, stage));
    const deviations: string[] = [];
    const check = async ({ name, target, headers, expected }: Variant): Promise<void> => {
      const answer = await ask(target, headers);
      if (!isAsExpected(expected, answer, original, isPassed)) {
        deviations.push(`${name}: ${target}: ${answer.status} ${answer.text}`);
      }
      if (!isPassed || row.writes.length === 0 || answer.status !== 200) return;
      // It may write what the path itself writes; the next one finds everything as it was.
      const changes = await changesSince(before, stage);
      const stray = changes.filter(({ collection }) => !row.writes.includes(collection));
      deviations.push(...stray.map((change) => `${name}: ${lineOf(change)}`));
      await restore(stage, changes);
    };
    const variants = variantsOf(path, credentialsOf(stage, rightful(row)));
    if (isPassed && row.writes.length > 0) for (const one of variants) await check(one);
    else await forAll(variants, check);
    const touched = await changesSince(before, stage);
    await restore(stage, touched);
    return [...deviations, ...touched.map(lineOf)];
  }

  describe.each(PATHS)('$path', ({ path }) => {
    const served = ROWS.filter((row) => row.path === path).map(({ method }) => method);
    const row = ROWS.find((candidate) => candidate.path === path) as AccessRow;

    it('should refuse every other method, whoever asks, and name its own', async () => {
      const cell = { row, ...rightful(row), target: firstServed(row) };
      const [url, target, { headers = {} }] = requestOf(stage, cell);
      for (const method of METHODS.filter((candidate) => !served.includes(candidate))) {
        for (const given of [headers, {}]) {
          const answer = await send(url, target, { method, headers: given });
          expect([method, answer.status]).toEqual([method, 405]);
          expect(answer.headers['allow']).toBe([...served].sort().join(', '));
        }
      }
      expect((await changesSince(before, stage)).map(lineOf)).toEqual([]);
    });

    it('should answer OPTIONS with nothing but the headers of a preflight', async () => {
      const cell = { row, ...rightful(row), target: firstServed(row) };
      const [url, target, { headers = {} }] = requestOf(stage, cell);
      const preflight = { origin: 'http://a.example', 'access-control-request-method': 'PUT' };
      for (const given of [{}, preflight, headers, { ...headers, ...preflight }]) {
        const answer = await send(url, target, { method: 'OPTIONS', headers: given });
        expect(answer).toMatchObject({ status: 204, text: '' });
      }
      expect((await changesSince(before, stage)).map(lineOf)).toEqual([]);
    });

    it('should not understand a broken request line, nor open a tunnel', async () => {
      const cell = { row, ...rightful(row), target: firstServed(row) };
      const [url, target, { headers = {} }] = requestOf(stage, cell);
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
      expect((await changesSince(before, stage)).map(lineOf)).toEqual([]);
    });
  });

  it('should open no tunnel', async () => {
    const { host } = new URL(stage.url);
    const lines = [`CONNECT ${host} HTTP/1.1`, `host: ${host}`, `x-api-key: ${API_KEY}`, '', ''];
    const { status, text } = await sendBytes(stage.url, lines.join('\r\n'));
    expect({ status, text }).toEqual({ status: NaN, text: '' });
  });

  it('should refuse OPTIONS like any other method where no origin is allowed', async () => {
    const bare = await startApp({ uri: stage.uri, env: { NODE_ENV: 'production', DOCS: 'off' } });
    try {
      for (const { path } of API_ROWS) {
        const { status } = await send(bare.url, path, { method: 'OPTIONS' });
        expect([path, status]).toEqual([path, 405]);
      }
    } finally {
      await bare.close();
    }
  });
});

/** Who is asked to try: each of the checks of a row is what stops one of them. */
function callersOf(row: AccessRow): Pick<Cell, 'key' | 'token'>[] {
  return [
    { key: 'none', token: 'none' },
    ...(row.token === 'none' ? [] : [{ key: 'good', token: 'none' } as const]),
    ...(row.role === null ? [] : [{ key: 'good', token: 'of a LEARNER' } as const]),
    rightful(row),
  ];
}

/** A key and a token that pass every check of a row. */
function rightful(row: AccessRow): Pick<Cell, 'key' | 'token'> {
  const target = firstServed(row);
  const pairs = KEY_NAMES.flatMap((key) => TOKEN_NAMES.map((token) => ({ key, token })));
  // The last: more is in order with it than with the first that will do.
  const passed = pairs.findLast((pair) => {
    const outcome = expectedOf({ row, ...pair, target });
    return outcome !== null && outcome.status === row.outcomes[target];
  });
  if (!passed) throw new Error(`nobody passes ${row.method} ${row.path}`);
  return passed;
}

/** A record that a row serves, or the only thing that it can name. */
function firstServed(row: AccessRow): Cell['target'] {
  const targets = TARGETS[row.names];
  return targets.find((target) => row.outcomes[target] === 200) ?? targets[0] ?? 'nothing';
}

/** @param credentials that the table lets through, where the server must not look for any */
function variantsOf(path: string, credentials: Readonly<Record<string, string>>): Variant[] {
  const { 'x-api-key': key = '', authorization = '' } = credentials;
  const token = authorization.replace('Bearer ', '');
  const parameter = path.split('/').findLast((segment) => /\d|no-such-tag/.test(segment)) ?? null;
  return [
    ...spellingsOf(path).map(({ isSame, ...spelling }) => ({
      ...spelling,
      expected: isSame ? ('same' as const) : ('same or refused' as const),
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
  const isSame = answer.status === original.status && fixed(answer.text) === fixed(original.text);
  if (expected === 'same') return isSame;
  if (expected === 'no such path') return answer.status === 404 && isBeforeGuards(answer);
  const isRefused = REFUSALS.includes(answer.status) && (isPassed || isBeforeGuards(answer));
  return isSame || isRefused;
}

/** A HEAD has no body; only its status tells. */
function isBeforeGuards({ text }: RawAnswer): boolean {
  return text === '' || BEFORE_GUARDS.test(text);
}

function fixed(text: string): string {
  return text.replaceAll(LAST_USE, '').replaceAll(VOLATILE, '"$1":…');
}
