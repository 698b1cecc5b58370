import { A_PICTURE, typedBody } from '../support/media/forms.js';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { linesOf } from '../platform/http/log/log-lines.js';
import { send, sendBytes, type RawAnswer } from '../platform/http/raw-http.js';
import { PASSWORD, unknownId } from '../support/factories.js';
import { collectionNames } from '../support/mongo/mongo.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { cycled, isLong } from '../support/scale.js';
import { until } from '../support/time/wait.js';
import { callerOf, firstTarget, openFixture, pathTo, validBody } from '../routes/calls.js';
import type { Fixture } from '../routes/row.js';
import { API_ROUTES, WRITE_ROUTES, type ApiRoute } from '../routes/routes.js';
import { PlantedSecrets } from './planted-secrets.js';

/** A body as the route takes it. */
function sentBody(
  { method, path }: ApiRoute,
  body: object,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array } {
  const { type, bytes } = typedBody(method, path, body);
  return { headers: { 'content-type': type }, body: bytes };
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('The log', () => {
  let server: TestApp;
  let fixture: Fixture;
  let markerCount = 0;
  /** How many lines of the log have been checked. */
  let checkedLines = 0;
  const secrets = new PlantedSecrets();

  beforeAll(async () => {
    server = await startApp({ env: { LOG_LEVEL: 'trace', LOG_REQUESTS: 'all' } });
    fixture = await openFixture(server);
    secrets.add('the API key', API_KEY);
    secrets.add('the password', PASSWORD);
    secrets.add('an address', fixture.userWithMaxSessions.email);
    const everyone = [...Object.values(fixture.people), fixture.otherAuthor];
    for (const { email, name, accessToken, refreshToken } of everyone) {
      secrets.add('an address', email);
      secrets.add('a name', name);
      secrets.addIssued(`${accessToken} ${refreshToken}`);
    }
  });

  async function expectClean(): Promise<void> {
    // Lines are written after the answer, so the test waits for the last line.
    const marker = `marker-${(markerCount += 1)}`;
    await send(server.url, '/health/live', { headers: { 'x-request-id': marker } });
    await until('the last line', () => server.log.some((line) => line.includes(marker)));
    const lines = server.log.slice(checkedLines);
    checkedLines += lines.length;
    expect(secrets.foundIn(lines.join(''))).toEqual([]);
    for (const line of lines) {
      expect(line).toMatch(/^\{[^\p{Cc}]*\}\n$/u);
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  }

  type Sent = Readonly<Partial<Record<'target' | 'query', string>>> & {
    readonly body?: string | Uint8Array;
    readonly headers?: Readonly<Record<string, string>>;
  };

  async function request(route: ApiRoute, sent: Sent): Promise<RawAnswer> {
    const { target = '', query = '', headers = {}, body } = sent;
    const caller = await callerOf(fixture, route);
    const authorization = caller ? { authorization: `Bearer ${caller.accessToken}` } : {};
    // A stream would last an hour.
    const bound = route.query?.['seconds'] ? `${query ? `${query}&` : '?'}seconds=1` : query;
    const answer = await send(server.url, pathTo(route, target) + bound, {
      method: route.method,
      headers: {
        'x-api-key': API_KEY,
        ...authorization,
        ...secrets.headers(),
        ...route.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    if (caller) secrets.addIssued(`${caller.accessToken} ${caller.refreshToken}`);
    if (route.parameter === 'preview') secrets.add('the token of a preview', target);
    secrets.addIssued(answer.text);
    return answer;
  }

  /** @param unchanged fields that keep their valid value, which is a known secret already */
  async function bodyWithSecrets(
    route: ApiRoute,
    target: string,
    unchanged: readonly string[] = [],
  ): Promise<Required<Pick<Sent, 'headers' | 'body'>>> {
    const caller = await callerOf(fixture, route);
    const valid = validBody(route, { people: fixture, caller, target });
    const fields = Object.entries(valid).map(([name, value]) => [
      name,
      unchanged.includes(name) || value === A_PICTURE ? value : secrets.inField(name, value),
    ]);
    return sentBody(route, {
      ...Object.fromEntries(fields),
      [secrets.newSecret('name of an unknown field')]: secrets.newSecret('unknown field'),
    });
  }

  /** A body with the fields of the route, all of which have a value of a wrong type. */
  function bodyOfWrongTypes(route: ApiRoute): Required<Pick<Sent, 'headers' | 'body'>> {
    const fields = Object.keys(route.body ?? {}).map((name) => [
      name,
      [{ [secrets.newSecret('nested name')]: secrets.newSecret('nested value') }],
    ]);
    return sentBody(route, Object.fromEntries(fields));
  }

  /** Requests with secrets in every part that a request to this route may have. A read has no body. */
  async function requestsWithSecrets(route: ApiRoute): Promise<Sent[]> {
    const target = await firstTarget(route, fixture);
    const hasBody = route.method !== 'GET';
    const routeIndex = API_ROUTES.indexOf(route);
    /** All items in `npm run test:long`. In `npm test` one of them: the next item for the next route. */
    const itemsToSend = <Item>(items: readonly Item[]): readonly Item[] =>
      isLong ? items : [cycled(items, routeIndex)];
    const bodies: Sent[] = [
      { target, ...(await bodyWithSecrets(route, target)) },
      { target, ...bodyOfWrongTypes(route) },
    ];
    const brokenBodies: Sent[] = [
      { target, headers: JSON_TYPE, body: `{"${secrets.newSecret('broken JSON')}` },
      { target, headers: JSON_TYPE, body: `{"__proto__":"${secrets.newSecret('prototype')}"}` },
      {
        target,
        headers: { 'content-type': `text/${secrets.newSecret('content type')}` },
        body: secrets.newSecret('body of another type'),
      },
    ];
    const texts = [
      secrets.newSecret('parameter of the path'),
      `${secrets.newSecret('undecodable path')}%`,
      `${secrets.newSecret('long path')}${'x'.repeat(2_500)}`,
      `\r\n{"level":30,"msg":"${secrets.newSecret('forged line in the path')}"}`,
    ];
    const name = secrets.newSecret('name of a parameter');
    const { keys, tokens } = secrets.credentials();
    return [
      ...(hasBody ? [...bodies, ...itemsToSend(brokenBodies)] : [{ target }]),
      { target: unknownId() },
      ...(route.path.includes(':') ? itemsToSend(texts).map((text) => ({ target: text })) : []),
      { target, query: `?page=${secrets.newSecret('page')}&email=${secrets.newSecret('email')}` },
      {
        target,
        query: `?role=${secrets.newSecret('role')}&${name}=${secrets.newSecret('parameter')}`,
      },
      ...[...itemsToSend(keys), ...itemsToSend(tokens)].map((headers) => ({ target, headers })),
    ];
  }

  it.each(API_ROUTES)('should hold no secret that $route is sent', async (route) => {
    const before = secrets.size;
    const statuses = new Set<number>();
    for (const attempt of await requestsWithSecrets(route)) {
      statuses.add((await request(route, attempt)).status);
    }
    expect(secrets.size).toBeGreaterThan(before + 40);
    expect(Math.max(...statuses)).toBeLessThan(500);
    if (route.access.apiKey) expect([...statuses]).toEqual(expect.arrayContaining([403]));
    await expectClean();
  });

  it('should hold no secret of an unknown path or method', async () => {
    for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS']) {
      const path = `/${secrets.newSecret('unknown path')}?${secrets.newSecret('its query')}=1`;
      const headers = { ...secrets.headers(), 'access-control-request-method': 'PUT' };
      await send(server.url, path, { method, headers });
      await send(server.url, `/contact?${secrets.newSecret('query')}`, { method, headers });
    }
    await expectClean();
  });

  it('should hold no secret of a request that is not valid HTTP, and no forged line', async () => {
    const line = (): string => `{"level":30,"msg":"${secrets.newSecret('forged line')}"}`;
    const heads = [
      `x-request-id: a\r\n\r\n${line()}`,
      `x-request-id: a\n${line()}`,
      `x-request-id: a\r${line()}`,
      `x-request-id: a"},${line()}`,
      `x-request-id: a%0d%0a${line()}`,
      `x-request-id: \u001b[31m${secrets.newSecret('escape sequence')}`,
      `x-api-key: \u001b]0;${secrets.newSecret('title of the terminal')}\u0007`,
      `user-agent: a\0${secrets.newSecret('user agent with NUL')}`,
      `${secrets.newSecret('header without a colon')}`,
      `content-length: ${secrets.newSecret('length')}`,
      `transfer-encoding: ${secrets.newSecret('coding')}`,
      `expect: ${secrets.newSecret('expectation')}`,
      `x-long: ${secrets.newSecret('too long')}${'x'.repeat(20_000)}`,
    ];
    const requestLines = [
      `${secrets.newSecret('method').toUpperCase()} / HTTP/1.1`,
      `GET /${secrets.newSecret('path')} HTTP/${secrets.newSecret('version')}`,
      `GET /${secrets.newSecret('path')}\u001b[31m HTTP/1.1`,
      secrets.newSecret('no request at all'),
    ];
    const requests = [
      ...heads.map((head) => `GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${head}`),
      ...requestLines.map((start) => `${start}\r\nhost: a\r\nconnection: close`),
    ];
    for (const bytes of requests) {
      const { status } = await sendBytes(server.url, `${bytes}\r\n\r\n`);
      expect([200, 400, 404, 431, 501]).toContain(status);
    }
    await expectClean();
  });

  describe('while the database refuses writes unexpectedly', () => {
    async function callWithSecrets(route: ApiRoute): Promise<Sent> {
      const target = await firstTarget(route, fixture);
      // The credentials are valid, so that the write is what fails.
      const unchanged = /^\w+ \/auth\/(signin|factors)\//.test(route.route)
        ? ['email', 'password', 'code']
        : [];
      return { target, ...(await bodyWithSecrets(route, target, unchanged)) };
    }

    it('should hold no secret of a document that fails validation', async () => {
      const calls: [ApiRoute, Sent][] = [];
      for (const route of WRITE_ROUTES.filter(({ needsNewCaller }) => !needsNewCaller)) {
        calls.push([route, await callWithSecrets(route)]);
      }
      const names = await collectionNames(server.db);
      const validate = async (validator: object): Promise<void> => {
        for (const name of names) await server.db.command({ collMod: name, validator });
      };
      const answers: string[] = [];
      // The driver's error carries each value that does not fit.
      const fields = 'name email title msg comments prefix userAgent code text kind url'.split(' ');
      const wrongTypes = fields.map((name) => [name, { bsonType: 'int' }] as const);
      await validate({ $jsonSchema: { properties: Object.fromEntries(wrongTypes) } });
      try {
        for (const [route, call] of calls) {
          const { status } = await request(route, call);
          answers.push(`${route.route} ${status}`);
        }
      } finally {
        await validate({});
      }
      // MongoDB does not validate the documents of a delete, so a route that only deletes succeeds. A comment
      // becomes a placeholder before it is deleted.
      const expected = calls.map(([{ route, effects = [] }]) => {
        const onlyDeletes =
          // The record of the bytes of a picture has none of the fields.
          effects.every((effect) => /^(delete |update media_files)/.test(effect)) &&
          !route.endsWith('/:comment');
        return `${route} ${onlyDeletes ? 200 : 500}`;
      });
      expect(answers).toEqual(expected);
      await expectClean();
      const failures = expected.filter((answer) => answer.endsWith(' 500'));
      expect(linesOf(server, 'failed')).toHaveLength(failures.length);
    });

    it.each([
      ['POST /auth/signup/basic', 'users', 'name'],
      ['PUT /profile/mine', 'users', 'name'],
      ['POST /contact', 'messages', 'msg'],
      ['POST /blog/author', 'blogs', 'title'],
      ['PUT /blog/author/id/:id', 'blogs', 'title'],
      ['POST /admin/apikeys', 'api_keys', 'comments'],
      ['PUT /admin/apikeys/id/:id', 'api_keys', 'comments'],
    ])('should hold no secret if %s causes a duplicate key', async (name, collection, field) => {
      const route = API_ROUTES.find((candidate) => candidate.route === name);
      if (!route) throw new Error(`${name} is no route`);
      const first = await callWithSecrets(route);
      const second = await callWithSecrets(route);
      const repeated = (JSON.parse(String(first.body)) as Record<string, unknown>)[
        BODY_FIELD[field] ?? field
      ];
      // The index contains only documents with this value. Other values may occur more than once.
      await server.db
        .collection(collection)
        .createIndex(
          { [field]: 1 },
          { unique: true, name: `of ${name}`, partialFilterExpression: { [field]: repeated } },
        );
      const body = {
        ...(JSON.parse(String(second.body)) as object),
        [BODY_FIELD[field] ?? field]: repeated,
      };
      const statuses = [
        (await request(route, first)).status,
        (await request(route, { ...second, body: JSON.stringify(body) })).status,
      ];
      expect(statuses).toEqual([200, 500]);
      const [cause] = linesOf(server, 'failed').slice(-1);
      expect(cause).toMatchObject({ err: { code: 11_000 } });
      await expectClean();
    });
  });
});

/** By stored field: its name in a request body, if that differs. */
const BODY_FIELD: Readonly<Record<string, string>> = { comments: 'comment' };
