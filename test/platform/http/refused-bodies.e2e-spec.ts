import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { holdClock, HOUR } from '../../support/time/clock.js';
import { blogBody, person, type Person } from '../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { requestHead as head, SlowClient } from './connection/slow-client.js';

const MIB = 1_048_576;
const MESSAGE = '{"type":"feedback","msg":"Good morning"}';

const KEY = `x-api-key: ${API_KEY}`;
const JSON_TYPE = 'content-type: application/json';
const LENGTH = `content-length: ${MIB}`;
const CHUNKED = 'transfer-encoding: chunked';
const EXPECT = 'expect: 100-continue';

describe('The response to a refused body', () => {
  let server: TestApp;
  let author: Person;
  let learner: Person;
  const clients: SlowClient[] = [];

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
    learner = await person(server);
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  function open(text: string): SlowClient {
    const client = new SlowClient(server.url);
    client.write(text);
    clients.push(client);
    return client;
  }

  function tokenOf({ accessToken }: Person): string {
    return `authorization: Bearer ${accessToken}`;
  }

  /** Well before the server's timeout of a slow request (15 s). */
  const AT_ONCE_MS = 5_000;

  async function expectRefused(client: SlowClient, status: number, message: string): Promise<void> {
    await until('the server to end the connection', () => client.isEnded, AT_ONCE_MS);
    expect(client.statuses).toEqual([String(status)]);
    expect(client.received).toContain('\r\nconnection: close\r\n');
    expect(client.received).toContain(`"message":"${message}`);
  }

  const OTHER_TYPE = 'the body must be JSON, with content-type application/json';

  interface Refusal {
    readonly label: string;
    readonly line: string;
    readonly headers: () => string[];
    readonly status: number;
    readonly message: string;
  }

  const contact = (...headers: readonly string[]): Pick<Refusal, 'line' | 'headers'> => ({
    line: 'POST /contact',
    headers: () => [...headers],
  });

  const write = (...headers: readonly (() => string)[]): Pick<Refusal, 'line' | 'headers'> => ({
    line: 'POST /blog/author',
    headers: () => [KEY, JSON_TYPE, ...headers.map((header) => header())],
  });

  const REFUSALS: readonly Refusal[] = [
    {
      label: 'without a key',
      ...contact(JSON_TYPE),
      status: 401,
      message: 'permission denied: missing x-api-key header',
    },
    {
      label: 'with an unknown key',
      ...contact(JSON_TYPE, 'x-api-key: nobodys'),
      status: 403,
      message: 'permission denied: invalid x-api-key',
    },
    {
      label: 'without a token',
      ...write(),
      status: 401,
      message: 'missing access token',
    },
    {
      label: 'with a malformed token',
      ...write(() => 'authorization: Bearer no-token'),
      status: 401,
      message: 'invalid access token',
    },
    {
      label: 'without the role',
      ...write(() => tokenOf(learner)),
      status: 403,
      message: 'permission denied: does not have sufficient role',
    },
    {
      label: 'of another type',
      ...contact(KEY, 'content-type: text/plain'),
      status: 415,
      message: OTHER_TYPE,
    },
    { label: 'of no type', ...contact(KEY), status: 415, message: OTHER_TYPE },
    {
      label: 'on a path that is unknown',
      line: 'POST /nowhere',
      headers: () => [JSON_TYPE],
      status: 404,
      message: 'not found: no such path',
    },
    {
      label: 'on a path that cannot be decoded',
      line: 'POST /blog/slug/%',
      headers: () => [JSON_TYPE],
      status: 400,
      message: 'the path is not validly percent-encoded',
    },
    {
      label: 'by another method',
      line: 'POST /health',
      headers: () => [JSON_TYPE],
      status: 405,
      message: 'method not allowed: use GET, HEAD',
    },
  ];

  it.each(REFUSALS)(
    'should be sent before the body arrives: $label',
    async ({ line, headers, status, message }) => {
      for (const body of [LENGTH, CHUNKED]) {
        await expectRefused(open(head(line, ...headers(), body)), status, message);
      }
    },
  );

  it('should be sent before the body arrives: with an expired token', async () => {
    const held = holdClock(server.app, Date.now() + HOUR);
    try {
      const client = open(head('POST /blog/author', KEY, JSON_TYPE, tokenOf(author), LENGTH));
      await expectRefused(client, 401, 'access token has expired');
      expect(client.received).toContain('\r\ninstruction: refresh_token\r\n');
    } finally {
      held.release();
    }
  });

  it('should be sent before the body arrives: longer than the limit of the route', async () => {
    await expectRefused(
      open(head('POST /contact', KEY, JSON_TYPE, 'content-length: 16385')),
      413,
      'the body is larger than 16 KiB',
    );
    await expectRefused(
      open(head('POST /blog/author', KEY, JSON_TYPE, tokenOf(author), 'content-length: 1048577')),
      413,
      'the body is larger than 1 MiB',
    );
  });

  it('should follow the order key, token, role, type, length', async () => {
    const line = 'POST /blog/author';
    const wrong = ['content-type: text/plain', 'content-length: 1048577'];
    const given: string[] = [];
    for (const [header, status] of [
      ['x-any: a', 401],
      [KEY, 401],
      [tokenOf(learner), 403],
    ] as const) {
      given.push(header);
      const client = open(head(line, ...given, ...wrong));
      await until('the answer', () => client.isEnded, AT_ONCE_MS);
      expect(client.statuses).toEqual([String(status)]);
    }
    await expectRefused(open(head(line, KEY, tokenOf(author), ...wrong)), 415, OTHER_TYPE);
  });

  it('should be sent when the chunks exceed the limit of the route', async () => {
    const client = open(head('POST /contact', KEY, JSON_TYPE, CHUNKED));
    client.write(`4000\r\n${' '.repeat(0x4000)}\r\n`);
    client.write('1\r\n \r\n');
    await expectRefused(client, 413, 'the body is larger than 16 KiB');
  });

  it.each([
    ['without a key', 'POST /contact', [], '401'],
    ['of another type', 'POST /contact', [KEY, 'content-type: text/plain'], '415'],
    ['too long', 'POST /contact', [KEY, JSON_TYPE], '413'],
    ['on a path that is unknown', 'POST /nowhere', [KEY, JSON_TYPE], '404'],
  ])('should not be preceded by 100: %s', async (_label, line, headers, status) => {
    const client = open(head(line, ...headers, LENGTH, EXPECT));
    await until('the server to end the connection', () => client.isEnded, AT_ONCE_MS);
    expect(client.statuses).toEqual([status]);
  });

  it('should be preceded by 100 only for an accepted body (RFC 9110, section 10.1.1)', async () => {
    const length = `content-length: ${MESSAGE.length}`;
    const client = open(head('POST /contact', KEY, JSON_TYPE, length, EXPECT));
    await until('the 100', () => client.statuses.length > 0, AT_ONCE_MS);
    expect(client.statuses).toEqual(['100']);
    client.write(MESSAGE);
    await until('the answer', () => client.statuses.length > 1, AT_ONCE_MS);
    expect(client.statuses).toEqual(['100', '200']);
    client.write(head('GET /health/live'));
    await until('the next answer', () => client.statuses.length > 2, AT_ONCE_MS);
    expect(client.statuses).toEqual(['100', '200', '200']);
  });

  it('should tell an author that the token has expired', async () => {
    const held = holdClock(server.app, Date.now() + HOUR);
    try {
      const body = JSON.stringify(blogBody({ draftText: 'a'.repeat(90_000) }));
      for (let round = 0; round < 20; round += 1) {
        const response = await fetch(`${server.url}/blog/author`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-api-key': API_KEY,
            authorization: `Bearer ${author.accessToken}`,
          },
          body,
        });
        expect(response.status).toBe(401);
        expect(response.headers.get('instruction')).toBe('refresh_token');
        expect(await response.json()).toMatchObject({ code: '10003' });
      }
    } finally {
      held.release();
    }
  });
});
