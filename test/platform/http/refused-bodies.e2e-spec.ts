import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { holdClock, HOUR } from '../../support/time/clock.js';
import { person, type Person } from '../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { RawClient, requestHead as head } from './connection/raw-client.js';
import { expectRefusal, json, send, type RawAnswer } from './raw-http.js';

const KIB = 1_024;
const MIB = 1_024 * KIB;
const MESSAGE = '{"type":"feedback","msg":"Good morning"}';

const KEY = `x-api-key: ${API_KEY}`;
const JSON_TYPE = 'content-type: application/json';
const TEXT_TYPE = 'content-type: text/plain';
const LENGTH = `content-length: ${MIB}`;
const CHUNKED = 'transfer-encoding: chunked';
const EXPECT = 'expect: 100-continue';
const OTHER_TYPE = 'the body must be JSON, with content-type application/json';
const OVER_16_KIB = 'the body is larger than 16 KiB';

/** Well before the server's timeout of a slow request (15 s). */
const AT_ONCE_MS = 5_000;

describe('The check of a body', () => {
  let server: TestApp;
  let author: Person;
  let learner: Person;
  const clients: RawClient[] = [];
  /** The server's sockets of the test's connections. */
  const accepted: Socket[] = [];

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
    learner = await person(server);
    const node: Server = server.app.getHttpServer();
    node.on('connection', (socket: Socket) => accepted.push(socket));
  });

  afterEach(() => {
    accepted.splice(0);
    for (const client of clients.splice(0)) client.close();
  });

  function open(text: string): RawClient {
    const client = new RawClient(server.url);
    client.write(text);
    clients.push(client);
    return client;
  }

  const tokenOf = ({ accessToken }: Person): string => `authorization: Bearer ${accessToken}`;
  const credentials = (): Record<string, string> => ({
    'x-api-key': API_KEY,
    authorization: `Bearer ${author.accessToken}`,
  });
  const untilEnded = (client: RawClient): Promise<unknown> =>
    until('the server to end the connection', () => client.isEnded, AT_ONCE_MS);
  const untilClosed = (): Promise<unknown> =>
    until(
      'the server to close the sockets',
      () => accepted.length >= clients.length && accepted.every(({ destroyed }) => destroyed),
      AT_ONCE_MS,
    );

  async function expectRefused(client: RawClient, status: number, message: string): Promise<void> {
    await untilEnded(client);
    expect(client.statuses).toEqual([String(status)]);
    expect(client.received).toContain('\r\nconnection: close\r\n');
    expect(client.received).toContain(`"message":"${message}`);
  }

  describe('that has not arrived', () => {
    const WRITE = 'POST /blog/author';
    type Row = readonly [string, number, string, line: string, headers: () => readonly string[]];
    const MISSING_KEY = 'permission denied: missing x-api-key header';
    const NO_ROLE = 'permission denied: does not have sufficient role';
    const tooLongArticle = () => [KEY, JSON_TYPE, tokenOf(author), `content-length: ${MIB + 1}`];

    it.each<Row>([
      ['without a key', 401, MISSING_KEY, 'POST /contact', () => [JSON_TYPE, LENGTH]],
      ['in chunks, without a key', 401, MISSING_KEY, 'POST /contact', () => [JSON_TYPE, CHUNKED]],
      ['without a token', 401, 'missing access token', WRITE, () => [KEY, JSON_TYPE, LENGTH]],
      ['without the role', 403, NO_ROLE, WRITE, () => [KEY, JSON_TYPE, tokenOf(learner), LENGTH]],
      ['of another type', 415, OTHER_TYPE, 'POST /contact', () => [KEY, TEXT_TYPE, LENGTH]],
      ['of no type', 415, OTHER_TYPE, 'POST /contact', () => [KEY, CHUNKED]],
      ['too long', 413, OVER_16_KIB, 'POST /contact', () => [KEY, JSON_TYPE, LENGTH]],
      ['too long, of an article', 413, 'the body is larger than 1 MiB', WRITE, tooLongArticle],
      ['to no route', 404, 'not found: no such path', 'POST /nowhere', () => [JSON_TYPE, LENGTH]],
      [
        'on a path that cannot be decoded',
        400,
        'the path is not validly percent-encoded',
        'POST /blog/slug/%',
        () => [JSON_TYPE, LENGTH],
      ],
      [
        'of another method',
        405,
        'method not allowed: use GET, HEAD',
        'POST /health',
        () => [JSON_TYPE, CHUNKED],
      ],
    ])(
      'should refuse it at once, and never send 100: %s',
      async (_label, status, message, line, headers) => {
        await expectRefused(open(head(line, ...headers())), status, message);
        await expectRefused(open(head(line, ...headers(), EXPECT)), status, message);
      },
    );

    it('should refuse it at once: with an expired token', async () => {
      const held = holdClock(server.app, Date.now() + HOUR);
      try {
        const client = open(head(WRITE, KEY, JSON_TYPE, tokenOf(author), LENGTH));
        await expectRefused(client, 401, 'access token has expired');
        expect(client.received).toContain('\r\ninstruction: refresh_token\r\n');
      } finally {
        held.release();
      }
    });

    it('should follow the order key, token, role, type, length', async () => {
      const wrong = [TEXT_TYPE, `content-length: ${MIB + 1}`];
      const given: string[] = [];
      for (const [header, status] of [
        ['x-any: a', 401],
        [KEY, 401],
        [tokenOf(learner), 403],
      ] as const) {
        given.push(header);
        const client = open(head(WRITE, ...given, ...wrong));
        await untilEnded(client);
        expect(client.statuses).toEqual([String(status)]);
      }
      await expectRefused(open(head(WRITE, KEY, tokenOf(author), ...wrong)), 415, OTHER_TYPE);
    });
  });

  it('should send 100 before a body that it accepts (RFC 9110, section 10.1.1)', async () => {
    const length = `content-length: ${MESSAGE.length}`;
    const client = open(head('POST /contact', KEY, JSON_TYPE, length, EXPECT));
    const untilStatuses = async (...expected: readonly string[]): Promise<void> => {
      await until('an answer', () => client.statuses.length >= expected.length, AT_ONCE_MS);
      expect(client.statuses).toEqual(expected);
    };
    await untilStatuses('100');
    client.write(MESSAGE);
    await untilStatuses('100', '200');
    client.write(head('GET /health/live'));
    await untilStatuses('100', '200', '200');
  });

  describe('by size', () => {
    const ARTICLE = { title: 'A title', description: 'What it is', draftText: 'A text' };
    const SUBMIT = '/blog/author/submit/66f1a2b3c4d5e6f708192a3b';

    it.each([
      ['a message', 'POST /contact', 16 * KIB, MESSAGE, 200, OVER_16_KIB],
      ['an article', 'POST /blog/author', MIB, JSON.stringify(ARTICLE), 200, '1 MiB'],
      ['a transition', `PUT ${SUBMIT}`, 16 * KIB, '{}', 404, OVER_16_KIB],
    ])(
      'should refuse one byte above the limit of %s',
      async (_, route, limit, body, status, words) => {
        const [method = '', path = ''] = route.split(' ');
        const request = (bytes: number) => ({ ...json(body.padEnd(bytes), credentials()), method });
        expect((await send(server.url, path, request(limit))).status).toBe(status);
        const refused = await send(server.url, path, request(limit + 1));
        expect(expectRefusal(refused, 413)).toContain(words);
        expect(refused.headers['connection']).toBe('close');
        const chunked = await fetch(server.url + path, {
          method,
          headers: { 'content-type': 'application/json', ...credentials() },
          body: new Blob([body.padEnd(limit + 1)]).stream(),
          duplex: 'half',
        });
        expect([chunked.status, await chunked.text()]).toEqual([413, refused.text]);
      },
    );
  });

  describe('by content type', () => {
    const post = (type: string): Promise<RawAnswer> =>
      send(server.url, '/contact', {
        method: 'POST',
        body: MESSAGE,
        headers: { 'x-api-key': API_KEY, ...(type === 'none' ? {} : { 'content-type': type }) },
      });

    it('should accept JSON', async () => {
      for (const type of ['application/json', 'application/json;charset=UTF-8', 'Application/JSON'])
        expect([type, (await post(type)).status]).toEqual([type, 200]);
    });

    it.each([
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/problem+json',
      'application/json, text/plain',
      'none',
    ])('should refuse content-type %s', async (type) => {
      expect(expectRefusal(await post(type), 415)).toBe(OTHER_TYPE);
    });

    it('should refuse another type also on a route that ignores the body', async () => {
      const headers = { ...credentials(), 'content-type': 'text/plain' };
      const request = { method: 'DELETE', headers, body: 'hello' };
      expectRefusal(await send(server.url, '/auth/signout', request), 415);
    });
  });

  describe('after a refusal', () => {
    it('should let the client get the response while the body continues to arrive', async () => {
      const body = Buffer.alloc(MIB, ' ');
      for (let round = 0; round < 5; round += 1) {
        const client = open(head('POST /contact', JSON_TYPE, LENGTH));
        client.write(body);
        await untilEnded(client);
        await untilClosed();
        expect(client.statuses).toEqual(['401']);
        expect(client.received).toMatch(/\}$/);
      }
      // At most the read with the headers, 64 KiB more, and the read that exceeded these 64 KiB.
      for (const { bytesRead } of accepted) expect(bytesRead).toBeLessThan(3 * 64 * KIB);
    });

    it('should not lose the response by a reset: the server waits for the client to close', async () => {
      const client = open(head('POST /contact', JSON_TYPE, LENGTH));
      await until('the connection', () => accepted.length === 1, AT_ONCE_MS);
      let hasReadToTheEnd = false;
      accepted[0]?.once('end', () => (hasReadToTheEnd = true));
      await untilEnded(client);
      client.end();
      await untilClosed();
      expect(hasReadToTheEnd).toBe(true);
    });

    it('should not read what arrives after the response as further requests', async () => {
      const length = `content-length: ${MESSAGE.length}`;
      const smuggled = head('POST /contact', KEY, JSON_TYPE, length) + MESSAGE;
      const before = await server.db.collection('messages').countDocuments();
      // Once the server has responded, the client sends one request as the body, and another one after it.
      const client = open(head('POST /contact', JSON_TYPE, `content-length: ${smuggled.length}`));
      await untilEnded(client);
      client.write(smuggled + smuggled);
      await untilClosed();
      expect(client.statuses).toEqual(['401']);
      expect(await server.db.collection('messages').countDocuments()).toBe(before);
    });

    it('should close the connections of 200 stalled uploads without a key', async () => {
      const part = `{"type":"${'a'.repeat(4_000)}`;
      for (let count = 0; count < 200; count += 1)
        open(head('POST /contact', JSON_TYPE, LENGTH) + part);
      await until(
        'all uploads to be answered',
        () => clients.every(({ isEnded }) => isEnded),
        AT_ONCE_MS,
      );
      // The server closes its sockets although no client has closed its side.
      await untilClosed();
      expect(new Set(clients.map(({ statuses }) => statuses.join()))).toEqual(new Set(['401']));
    });

    it('should keep the connection of a refused request without a body', async () => {
      const client = open(head('GET /blogs/latest'));
      const untilCount = (count: number): Promise<unknown> =>
        until('an answer', () => client.statuses.length === count, AT_ONCE_MS);
      await untilCount(1);
      client.write(head('POST /contact', 'content-length: 0'));
      await untilCount(2);
      client.write(head('POST /nowhere'));
      await untilCount(3);
      expect(client.statuses).toEqual(['401', '401', '404']);
      expect(client.isEnded).toBe(false);
    });
  });
});
