import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { atEnd } from '../../support/clean-up.js';
import { connect, freshDatabaseUri } from '../../support/mongo/mongo.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import { until } from '../../support/time/wait.js';
import { connectionToEach } from '../../cli/workers/connections.js';
import { startServer, type WorkersServer } from '../../cli/workers/server.js';
import { listenersOf } from '../database/embedded/fixture/processes.js';
import { Scrape } from './scrape.js';

const API_KEY = 'the-key-of-the-metrics';
const HEADERS = { 'x-api-key': API_KEY };
const LATEST = 'pressroom_http_requests_total{method="GET",route="/blogs/latest",status="200"}';

/** A port of 127.0.0.1 that is in use until the end of the file. */
async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  return String((server.address() as AddressInfo).port);
}

describe('the metrics of the program', () => {
  let folder: string;
  let uri: string;

  const settings = (env: Readonly<Record<string, string>>): Record<string, string> => ({
    NODE_ENV: 'test',
    MONGODB_URI: uri,
    LOG_LEVEL: 'info',
    ...env,
  });
  const urlIn = ({ output }: WorkersServer): Promise<string> =>
    until('the address of the metrics', () => /served at (http:[^"\s]+)/.exec(output.stdout)?.[1]);

  beforeAll(async () => {
    folder = await temporaryFolder();
    uri = freshDatabaseUri();
    const mongoClient = await connect(uri);
    await mongoClient.db().collection('api_keys').insertOne({ key: API_KEY, status: true });
  });

  it('should be added up over workers, and never go back when one ends', async () => {
    const server = await startServer(folder, settings({ METRICS_PORT: '0', WORKERS: '2' }));
    const url = await urlIn(server);
    const workers = server.workers();
    const connections = await connectionToEach(server.url, workers);
    const [one, other] = connections;
    const ask = async (count: number, to: typeof one): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        expect((await to?.send('GET', '/blogs/latest', { headers: HEADERS }))?.status).toBe(200);
      }
    };
    const counted = async (): Promise<number> => (await Scrape.of(url)).valueOf(LATEST);
    await ask(3, one);
    await ask(4, other);
    await until('seven requests', async () => (await counted()) === 7);
    expect((await Scrape.of(url)).valueOf('pressroom_processes')).toBe(2);

    process.kill(workers[0] ?? 0, 'SIGKILL');
    const counts: number[] = [];
    await until('another worker', async () => {
      const scrape = await Scrape.of(url);
      counts.push(scrape.valueOf(LATEST));
      return (
        scrape.valueOf('pressroom_worker_ends_total') === 1 &&
        scrape.valueOf('pressroom_processes') === 2
      );
    });
    expect(new Set(counts)).toEqual(new Set([7]));
    await ask(2, other);
    await until('nine requests', async () => (await counted()) === 9);
    for (const connection of connections) connection.close();
    server.child.kill();
    expect(await server.ended).toBe(0);
  }, 120_000);

  it('should be served by a single process itself, and by nothing without METRICS_PORT', async () => {
    const server = await startServer(folder, settings({ METRICS_PORT: '0', WORKERS: '1' }));
    const scrape = await Scrape.of(await urlIn(server));
    expect(scrape.valueOf('pressroom_processes')).toBe(1);
    const finds =
      'pressroom_mongodb_command_duration_seconds_count{client="background",command="find"}';
    expect(scrape.valueOf(finds)).toBeGreaterThan(0);
    expect(listenersOf(server.pid).tcp).toHaveLength(2);
    const without = await startServer(folder, settings({ WORKERS: '1' }));
    expect(listenersOf(without.pid).tcp).toHaveLength(1);
  }, 120_000);

  it.each(['1', '2'])(
    'should be refused in a sentence when the port is in use, WORKERS=%s',
    async (count) => {
      const port = await takenPort();
      const { code, stderr } = await runNode(['dist/main.js'], {
        cwd: folder,
        env: settings({ PORT: '0', METRICS_PORT: port, WORKERS: count, LOG_LEVEL: 'silent' }),
      });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          `metrics: listen EADDRINUSE: address already in use 127.0.0.1:${port}: ` +
          'another program has the port; stop it, or set METRICS_PORT.\n',
      });
    },
  );

  it('should be refused in a sentence for an address of another machine', async () => {
    const { code, stderr } = await runNode(['dist/main.js'], {
      cwd: folder,
      env: settings({
        PORT: '0',
        METRICS_PORT: '0',
        METRICS_HOST: '192.0.2.1',
        LOG_LEVEL: 'silent',
      }),
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'metrics: listen EADDRNOTAVAIL: address not available 192.0.2.1: ' +
        'this machine does not have the address; set METRICS_HOST.\n',
    });
  });
});
