import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import {
  startNode,
  temporaryFolder,
  untilReady,
  type RunningProcess,
} from '../../support/process.js';
import { until } from '../../support/time/wait.js';
import { listenersOf } from '../../platform/database/embedded/fixture/processes.js';
import { Scrape } from '../../platform/metrics/scrape.js';
import { Connection, isClosed } from '../workers/connections.js';

describe('A server that is told to stop', () => {
  let folder: string;
  const uri = freshDatabaseUri();

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  async function start(
    env: Readonly<Record<string, string>>,
  ): Promise<RunningProcess & { url: string }> {
    const settings = { NODE_ENV: 'test', MONGODB_URI: uri, PORT: '0', LOG_REQUESTS: 'all', ...env };
    const server = startNode(['dist/main.js'], { cwd: folder, env: settings });
    return { ...server, url: await untilReady(server) };
  }

  const listeners = ({ child }: RunningProcess): number => listenersOf(child.pid ?? 0).tcp.length;

  it.each([
    ['readable lines', 'SIGTERM', { NODE_ENV: 'development' }],
    ['JSON lines of workers', 'SIGINT', { WORKERS: '2' }],
  ] as const)(
    'should log the last request, and "stopped" in the last line: %s, %s',
    async (_what, signal, env) => {
      const server = await start(env);
      const headers = { 'x-request-id': 'the-last-one', connection: 'close' };
      expect((await fetch(`${server.url}/health/ready`, { headers })).status).toBe(200);
      server.child.kill(signal);
      expect(await server.ended).toBe(0);
      const lines = server.output.stdout.trimEnd().split('\n');
      const lineWith = (text: string): number => lines.findIndex((line) => line.includes(text));
      expect(lineWith('the-last-one')).toBeGreaterThan(0);
      expect(lineWith(`${signal}: stopping`)).toBeGreaterThan(0);
      expect(lines.at(-1)).toContain('stopped');
    },
    60_000,
  );

  it('should report that it is not ready, answer on open connections, and then exit', async () => {
    const server = await start({ METRICS_PORT: '0' });
    const { url, child, ended, output } = server;
    // Without workers, the server process serves the metrics itself.
    const metrics = await until(
      'the URL of the metrics in the log',
      () => /served at (http:[^"\s]+)/.exec(output.stdout)?.[1],
    );
    expect((await Scrape.of(metrics)).valueOf('pressroom_processes')).toBe(1);
    expect(listeners(server)).toBe(2);
    const clients = [new Connection(url), new Connection(url), new Connection(url)] as const;
    for (const client of clients) {
      expect(await client.send('GET', '/health/ready')).toMatchObject({
        status: 200,
        connection: 'keep-alive',
      });
    }
    const [one, other] = clients;
    child.kill('SIGUSR2');
    await until('a warning about SIGUSR2', () =>
      output.stdout.includes('with WORKERS=1 there are none'),
    );
    child.kill('SIGTERM');
    await until('the port to be closed', () => isClosed(url));
    expect(await one.send('GET', '/health/ready')).toMatchObject({
      status: 503,
      connection: 'close',
    });
    expect(await other.send('GET', '/health/live')).toMatchObject({
      status: 200,
      connection: 'close',
    });
    expect(await ended).toBe(0);
    expect(output.stdout.trimEnd().split('\n').at(-1)).toContain('stopped');
  }, 60_000);

  it('should still serve requests for STOP_DELAY_MS, or until a second signal', async () => {
    const server = await start({ STOP_DELAY_MS: '600000' });
    const { url, child, ended, output } = server;
    // Without METRICS_PORT, no port is open for metrics.
    expect(listeners(server)).toBe(1);
    const client = new Connection(url);
    await client.send('GET', '/health/ready');
    child.kill('SIGTERM');
    await until('the log', () => output.stdout.includes('SIGTERM: stopping in 600000 ms'));
    expect(await client.send('GET', '/health/ready')).toMatchObject({
      status: 503,
      connection: 'close',
    });
    expect(await new Connection(url).send('GET', '/health/live')).toMatchObject({ status: 200 });
    // A signal that is repeated within a second is ignored, because npm repeats signals.
    setTimeout(() => child.kill('SIGTERM'), 1_100);
    expect(await ended).toBe(0);
  }, 60_000);
});
