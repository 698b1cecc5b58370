import { beforeAll, describe, expect, it } from '@jest/globals';
import { stopServing } from '../../../../src/cli/stop-serving.js';
import { blogIn, type BlogInState } from '../../../support/factories.js';
import { API_KEY, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { RawClient } from '../../http/connection/raw-client.js';
import { keepLease } from '../support/barriers.js';
import { openSecondServer, openFixture, type Fixture } from '../support/fixture.js';

/** Waits for `count` complete answers. */
async function answersOf(client: RawClient, count: number): Promise<readonly ParsedAnswer[]> {
  await until(`${count} answers`, () => split(client.received).length >= count);
  return split(client.received);
}

interface ParsedAnswer {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Splits what was received into answers, by their `content-length`. */
function split(received: string): readonly ParsedAnswer[] {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const [status = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const next = end + 4 + Number(headers['content-length'] ?? 0);
  if (received.length < next) return [];
  return [{ status, headers, body: received.slice(end + 4, next) }, ...split(received.slice(next))];
}

/** Everything but the time of sending. */
function withoutDate({ status, headers: { date: _date, ...headers }, body }: ParsedAnswer): object {
  return { status, headers, body };
}

const request = (path: string, id: string, { version = '1.1', more = '' } = {}): string =>
  `GET ${path} HTTP/${version}\r\nhost: pressroom\r\nx-api-key: ${API_KEY}\r\n` +
  `x-request-id: ${id}\r\n${more}\r\n`;

describe('the response cache, byte by byte', () => {
  let server: Fixture;
  let uncachedServer: TestApp;
  let blog: BlogInState;
  let paths: string[];

  beforeAll(async () => {
    server = await openFixture();
    uncachedServer = await openSecondServer(server, { env: { CACHE_MB: '0' } });
    keepLease(server.app);
    keepLease(uncachedServer.app);
    blog = await blogIn('live', server.author, server.editor);
    paths = [`/blog/id/${blog._id}`, `/blog/slug/${blog.body.slug}`, '/blogs/latest'];
    // From here on, their answers are cached.
    for (const path of paths) await server.client.get(path);
  });

  // Sends the requests to both servers, and returns the answers of each.
  async function answersOfBoth(
    count: number,
    ...requests: readonly string[]
  ): Promise<readonly (readonly ParsedAnswer[])[]> {
    return Promise.all(
      [server, uncachedServer].map(async ({ url }) => {
        const connection = new RawClient(url);
        connection.write(requests.join(''));
        try {
          return await answersOf(connection, count);
        } finally {
          connection.close();
        }
      }),
    );
  }

  it('should answer pipelined requests in their order, each with its own id', async () => {
    const requests = Array.from({ length: 12 }, (_, n) =>
      request(String(paths[n % paths.length]), `id-${n}`),
    );
    const [cached, uncached] = await answersOfBoth(12, ...requests);
    expect(cached?.map(({ headers }) => headers['x-request-id'])).toEqual(
      requests.map((_, n) => `id-${n}`),
    );
    expect(cached?.map(withoutDate)).toEqual(uncached?.map(withoutDate));
  });

  it.each([
    ['HTTP/1.0', { version: '1.0' }],
    [
      'HTTP/1.0 with Connection: keep-alive',
      { version: '1.0', more: 'connection: keep-alive\r\n' },
    ],
    ['Connection: close', { more: 'connection: close\r\n' }],
    ['a body', { more: 'content-length: 2\r\n\r\n{}' }],
    // An expectation without a body gets no 100 (RFC 9110, section 10.1.1).
    ['an expectation', { more: 'expect: 100-continue\r\n' }],
  ])('should answer %s as the pipeline does', async (_label, options) => {
    const [path = ''] = paths;
    const [cached, uncached] = await answersOfBoth(1, request(path, 'an-id', options));
    expect(cached?.map(withoutDate)).toEqual(uncached?.map(withoutDate));
  });

  // The last test, because it stops both servers.
  it('should answer as the pipeline does while the server stops', async () => {
    const answers = await Promise.all(
      [server, uncachedServer].map(async (server) => {
        // The second request lacks its end. It keeps the connection open, and the server running.
        const message = request(String(paths[0]), 'an-id');
        const cut = message.length - 10;
        const connection = new RawClient(server.url);
        connection.write(message + message.slice(0, cut));
        // Once the first request is answered, the server has also read this part of the second one.
        await answersOf(connection, 1);
        const closed = stopServing(server.app, 0);
        await until('the end of listening', () => !server.app.getHttpServer().listening);
        connection.write(message.slice(cut));
        const [, answer] = await answersOf(connection, 2);
        await closed;
        await until('the end of the connection', () => connection.isEnded);
        return answer && withoutDate(answer);
      }),
    );
    expect(answers[0]).toMatchObject({ status: 'HTTP/1.1 200 OK' });
    expect(answers[0]).toEqual(answers[1]);
  });
});
