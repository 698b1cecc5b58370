import { Agent, get } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import {
  startNode,
  temporaryFolder,
  untilReady,
  type RunningProcess,
} from '../../support/process.js';
import { until } from '../../support/time/wait.js';
import { isClosed } from '../workers/connections.js';

describe('The log of a server that stops', () => {
  let folder: string;
  const uri = freshDatabaseUri();

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  it.each([
    ['readable lines', 'SIGTERM', { NODE_ENV: 'development' }],
    ['JSON lines', 'SIGINT', { NODE_ENV: 'test' }],
    ['JSON lines of workers', 'SIGTERM', { NODE_ENV: 'test', WORKERS: '2' }],
  ] as const)(
    'should be complete and end with that: %s, %s',
    async (_what, signal, kind) => {
      const env = { MONGODB_URI: uri, PORT: '0', LOG_REQUESTS: 'all', ...kind };
      const server = startNode(['dist/main.js'], { cwd: folder, env });
      const url = await untilReady(server);
      const headers = { 'x-request-id': 'the-last-one', connection: 'close' };
      expect((await fetch(`${url}/health/ready`, { headers })).status).toBe(200);
      server.child.kill(signal);
      expect(await server.ended).toBe(0);
      const lines = server.output.stdout.trimEnd().split('\n');
      const saying = (text: string): number => lines.findIndex((line) => line.includes(text));
      expect(saying('the-last-one')).toBeGreaterThan(0);
      expect(saying(`${signal}: stopping`)).toBeGreaterThan(0);
      expect(lines.at(-1)).toContain('stopped');
    },
    60_000,
  );
});

describe('A server that is told to stop', () => {
  let folder: string;
  const uri = freshDatabaseUri();

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  const start = async (stopDelayMs: string): Promise<RunningProcess & { url: string }> => {
    const env = { NODE_ENV: 'test', MONGODB_URI: uri, PORT: '0', STOP_DELAY_MS: stopDelayMs };
    const server = startNode(['dist/main.js'], { cwd: folder, env });
    return { ...server, url: await untilReady(server) };
  };

  it('should not be ready, answer on open connections, and exit when it has', async () => {
    const { url, child, ended, output } = await start('0');
    const clients = [new KeepAlive(url), new KeepAlive(url), new KeepAlive(url)] as const;
    for (const client of clients) {
      expect(await client.get('/health/ready')).toEqual({ status: 200, connection: 'keep-alive' });
    }
    const [one, other] = clients;
    child.kill('SIGUSR2');
    await until('the log', () => output.stdout.includes('with WORKERS=1 there are none'));
    child.kill('SIGTERM');
    await until('the port to be closed', () => isClosed(url));
    expect(await one.get('/health/ready')).toEqual({ status: 503, connection: 'close' });
    expect(await other.get('/health/live')).toEqual({ status: 200, connection: 'close' });
    expect(await ended).toBe(0);
  }, 60_000);

  it('should go on serving for STOP_DELAY_MS, until a second signal', async () => {
    const { url, child, ended, output } = await start('600000');
    const open = new KeepAlive(url);
    await open.get('/health/ready');
    child.kill('SIGTERM');
    await until('the log', () => output.stdout.includes('SIGTERM: stopping in 600000 ms'));
    expect(await open.get('/health/ready')).toEqual({ status: 503, connection: 'close' });
    expect(await new KeepAlive(url).get('/health/live')).toMatchObject({ status: 200 });
    // A repetition within a second would be one of npm's.
    setTimeout(() => child.kill('SIGTERM'), 1_100);
    expect(await ended).toBe(0);
  }, 60_000);
});

/** A client with one connection. */
class KeepAlive {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly url: string) {}

  get(path: string): Promise<{ status: number | undefined; connection: string | undefined }> {
    return new Promise((resolve, reject) => {
      get(this.url + path, { agent: this.agent }, (response) => {
        const { statusCode: status, headers } = response.resume();
        response.once('end', () => resolve({ status, connection: headers.connection }));
      }).once('error', reject);
    });
  }
}
