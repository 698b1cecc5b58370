import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { RawClient } from './raw-client.js';

/** Maximum of open requests of a connection: one that runs, and 64 in the queue. */
const MAX_PIPELINED = 65;

/** Number of requests whose text exceeds 64 KiB, the most that Node reads from a socket at once. */
const BURST_SIZE = 764;

describe('Pipelined requests', () => {
  let server: TestApp;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    server = await startApp({ env: { LOG_LEVEL: 'info' } });
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.socket.destroy();
  });

  function open(text: string, { isReading = true } = {}): RawClient {
    const client = new RawClient(server.url, { isReading });
    clients.push(client);
    client.socket.write(text);
    return client;
  }

  function get(path: string, id = 'a'): string {
    return textOf('GET', path, { 'x-api-key': API_KEY, 'x-request-id': id });
  }

  // The response of the first path is not cached, that of the second is; the third needs no API key.
  it.each(['/blogs/latest?limit=100&z=1', '/blogs/latest?limit=100', '/health/live'])(
    'should get 65 responses of %s in order',
    async (path) => {
      const ids = Array.from({ length: MAX_PIPELINED }, (_, index) => `number-${index}`);
      const client = open(ids.map((id) => get(path, id)).join(''));
      await until('all answers', () => idsIn(client).length === MAX_PIPELINED);
      expect(idsIn(client)).toEqual(ids);
      expect(client.statuses).toEqual(ids.map(() => '200'));
    },
  );

  it('should run one after another, so that a read sees an earlier write', async () => {
    const { client: author } = await person(server, 'AUTHOR');
    const urls = Array.from({ length: 20 }, (_, index) => `https://example.org/${index}.png`);
    const texts = urls.flatMap((url) => [
      textOf('PUT', '/profile/mine', author.headers, JSON.stringify({ profilePicUrl: url })),
      textOf('GET', '/profile/mine', author.headers),
    ]);
    const client = open(texts.join(''));
    await until('all answers', () => client.statuses.length === texts.length);
    expect(client.matches(/(?<="profilePicUrl":")[^"]+/g)).toEqual(
      urls.flatMap((url) => [url, url]),
    );
  });

  it('should end the connection if there are hundreds at once, and the client reads nothing', async () => {
    const client = open(get('/blogs/latest?limit=100&z=1').repeat(BURST_SIZE), {
      isReading: false,
    });
    await until('the end of the connection', () => client.isEnded);
    const { status } = await fetch(`${server.url}/health/live`);
    expect(status).toBe(200);
    expect(
      server.log.filter((line) => line.includes('too many requests without waiting')),
    ).toHaveLength(1);
  });

  it('should not be parsed further once the connection has ended', async () => {
    let parsed = 0;
    const count = (): void => void (parsed += 1);
    subscribe('http.server.request.start', count);
    const client = open(get('/health/live').repeat(BURST_SIZE));
    await until('the end of the connection', () => client.isEnded);
    unsubscribe('http.server.request.start', count);
    expect(parsed).toBeLessThan(BURST_SIZE / 2);
  });

  it('should be accepted again after all responses', async () => {
    const client = open(get('/health/live').repeat(MAX_PIPELINED));
    await until('all answers', () => client.statuses.length === MAX_PIPELINED);
    client.socket.write(get('/health/live').repeat(MAX_PIPELINED));
    await until('all answers again', () => client.statuses.length === 2 * MAX_PIPELINED);
  });

  it('should get cached responses although the client has closed its side', async () => {
    const path = '/blogs/latest?limit=100';
    const reader = open('');
    await until('the answer to be cached', async () => {
      const count = reader.statuses.length;
      reader.socket.write(get(path));
      await until('an answer', () => reader.statuses.length > count);
      return reader.statuses.length > 5;
    });
    const client = open('');
    client.socket.end(get(path).repeat(MAX_PIPELINED));
    await until('the end', () => client.isEnded);
    expect(client.statuses).toHaveLength(MAX_PIPELINED);
  });
});

const idsIn = (client: RawClient): string[] => client.matches(/(?<=x-request-id: )[^\r]+/g);

function textOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = { host: 'a', ...headers, 'content-length': String(body.length) };
  const typed = body === '' ? all : { ...all, 'content-type': 'application/json' };
  const lines = Object.entries(typed).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
