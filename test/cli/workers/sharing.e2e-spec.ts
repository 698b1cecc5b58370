import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  commandsNaming,
  isRunning,
  listenersOf,
} from '../../platform/database/embedded/fixture/processes.js';
import { connect, freshDatabaseUri } from '../../support/mongo/mongo.js';
import { NODE_FLAGS, runNode, temporaryFolder } from '../../support/process.js';
import { until } from '../../support/time/wait.js';
import { Scrape } from '../../platform/metrics/scrape.js';
import { connectionToEach, type Connection, type HeadersAndBody } from './connections.js';
import { hasReplaced, startServer, type WorkersServer } from './server.js';

const API_KEY = 'the-key-of-the-workers';
const KEY = { 'x-api-key': API_KEY };
const ADA = { email: 'ada@example.org', password: 'correct horse battery', name: 'Ada' };

describe('WORKERS=2', () => {
  let folder: string;
  let uri: string;
  let server: WorkersServer;
  let workers: number[];
  let connections: Connection[];

  const settings = (): Record<string, string> => ({
    MONGODB_URI: uri,
    LIMIT_CONTACT: '3/1h',
    LOG_LEVEL: 'info',
  });

  /** A connection to each of the two workers. */
  const pair = (): [Connection, Connection] => connections as [Connection, Connection];

  const send = (connection: Connection, method: string, path: string, parts: HeadersAndBody = {}) =>
    connection.send(method, path, { ...parts, headers: { ...KEY, ...parts.headers } });

  beforeAll(async () => {
    folder = await temporaryFolder();
    uri = freshDatabaseUri();
    const mongoClient = await connect(uri);
    await mongoClient.db().collection('api_keys').insertOne({ key: API_KEY, status: true });
    server = await startServer(folder, { ...settings(), METRICS_PORT: '0' });
    workers = server.workers();
    connections = await connectionToEach(server.url, workers);
  }, 90_000);

  afterAll(async () => {
    for (const connection of connections ?? []) connection.close();
    server?.child.kill('SIGKILL');
    await server?.ended;
  });

  it('should print its URL once, and listen on the same port in each worker with PORT=0', () => {
    expect(server.output.stdout.match(/Pressroom is ready/g)).toHaveLength(1);
    expect(workers).toHaveLength(2);
    const port = Number(new URL(server.url).port).toString(16).toUpperCase().padStart(4, '0');
    for (const pid of workers) {
      expect(listenersOf(pid).tcp).toEqual([expect.stringContaining(`:${port} `)]);
    }
    // The supervisor listens for metrics only.
    expect(listenersOf(server.pid).tcp).toEqual([expect.not.stringContaining(`:${port} `)]);
  });

  it('should run each worker with the flags of the server', () => {
    const commands = commandsNaming('worker.main.js');
    for (const pid of workers) {
      const command = commands.find((line) => Number.parseInt(line, 10) === pid);
      expect(command).toContain(` ${NODE_FLAGS.join(' ')} `);
    }
  });

  it('should share sign-in, refresh and sign-out between workers', async () => {
    const [one, other] = pair();
    const { body: signedUp } = await send(one, 'POST', '/auth/signup/basic', { body: ADA });
    const { accessToken, refreshToken } = signedUp.data.tokens;
    const headers = { authorization: `Bearer ${accessToken}` };
    const profile = await send(other, 'GET', '/profile/mine', { headers });
    expect(profile).toMatchObject({ status: 200, body: { data: { email: ADA.email } } });
    const body = { refreshToken };
    const refreshed = await send(other, 'POST', '/auth/refresh', { headers, body });
    expect(refreshed.status).toBe(200);
    const renewed = { authorization: `Bearer ${refreshed.body.data.accessToken}` };
    expect((await send(one, 'GET', '/profile/mine', { headers: renewed })).status).toBe(200);
    expect((await send(one, 'DELETE', '/auth/signout', { headers: renewed })).status).toBe(200);
    await until(
      'the other worker to refuse the access token',
      async () => (await send(other, 'GET', '/profile/mine', { headers: renewed })).status === 401,
      1_000,
    );
  });

  it('should count a rate limit across all workers', async () => {
    const [one, other] = pair();
    const body = { type: 'feedback', msg: 'hello' };
    const statuses: number[] = [];
    for (const connection of [one, other, one, other, one]) {
      statuses.push((await send(connection, 'POST', '/contact', { body })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('should not share the port with another server of several workers', async () => {
    const { port } = new URL(server.url);
    const { code, stderr, stdout } = await runNode(['dist/main.js'], {
      cwd: folder,
      env: { ...settings(), NODE_ENV: 'test', LOG_LEVEL: 'silent', PORT: port, WORKERS: '2' },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `The server cannot listen (listen EADDRINUSE: address already in use 127.0.0.1:${port}): ` +
        'another program has the port: stop it, or set PORT to another one.\n',
    );
    expect(server.workers()).toEqual(workers);
  });

  const scrape = async (): Promise<Scrape> =>
    Scrape.of(/served at (http:[^"\s]+)/.exec(server.output.stdout)?.[1] ?? null);
  const LATEST = 'pressroom_http_requests_total{method="GET",route="/blogs/latest",status="200"}';

  it('should add up the metrics of its workers', async () => {
    for (const [count, connection] of [3, 4].map((n, index) => [n, pair()[index]!] as const)) {
      for (let n = 0; n < count; n += 1)
        expect((await send(connection, 'GET', '/blogs/latest')).status).toBe(200);
    }
    await until('seven requests to be counted', async () => (await scrape()).valueOf(LATEST) === 7);
    expect((await scrape()).valueOf('pressroom_processes')).toBe(2);
  });

  it('should replace a killed worker while the other one serves requests', async () => {
    const [killed = 0, other = 0] = workers;
    const [, connection] = pair();
    const before = (await scrape()).valueOf(LATEST);
    process.kill(killed, 'SIGKILL');
    await until(
      'a replacement to listen',
      async () => {
        // The metrics still include the requests that the killed worker has counted.
        expect((await scrape()).valueOf(LATEST)).toBe(before);
        expect((await send(connection, 'GET', '/health/live')).status).toBe(200);
        const replacement = server.workers().find((pid) => !workers.includes(pid));
        return replacement !== undefined && listenersOf(replacement).tcp.length > 0;
      },
      30_000,
    );
    expect(isRunning(killed)).toBe(false);
    workers = server.workers();
    expect(workers).toHaveLength(2);
    expect(workers).toContain(other);
    for (const open of connections) open.close();
    connections = await connectionToEach(server.url, workers);
    for (const open of connections)
      expect((await send(open, 'GET', '/blogs/latest')).status).toBe(200);
    await until('both requests', async () => (await scrape()).valueOf(LATEST) === before + 2);
    const { series } = await scrape();
    expect(series.get('pressroom_worker_ends_total')).toBe(1);
    expect(series.get('pressroom_processes')).toBe(2);
    const line = `worker ${killed} ended (SIGKILL); another starts in `;
    expect(server.output.stdout.split('\n').filter((text) => text.includes(line))).toHaveLength(1);
  }, 60_000);

  it('should replace the workers one by one on SIGUSR2, and answer all the time', async () => {
    const before = workers;
    // `kill` may signal the whole process group: the workers leave the signal to the supervisor.
    for (const pid of [...workers, server.pid]) process.kill(pid, 'SIGUSR2');
    const isRestarted = (): boolean => hasReplaced(server, before);
    const [busy, idle] = pair();
    const statuses = new Set<number>();
    for (let connection: string | undefined; connection !== 'close' && !isRestarted();) {
      const answer = await busy.send('GET', '/health/ready');
      statuses.add(answer.status);
      ({ connection } = answer);
    }
    await until(
      'the restart',
      async () => {
        statuses.add((await fetch(`${server.url}/health/ready`)).status);
        return isRestarted();
      },
      30_000,
    );
    expect(statuses).toEqual(new Set([200]));
    workers = server.workers();
    expect(workers).toHaveLength(2);
    expect(workers.filter((pid) => before.includes(pid))).toEqual([]);
    expect(await idle.send('GET', '/health/ready')).toMatchObject({ status: 200 });
    expect(workers).toContain(idle.ownerAmong(workers));
    for (const open of connections) open.close();
    connections = [];
  }, 60_000);

  it('should end with code 0 on SIGTERM, after all workers', async () => {
    server.child.kill('SIGTERM');
    // npm sends the signal twice.
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.output.stderr).toBe('');
    expect([server.pid, ...workers].filter(isRunning)).toEqual([]);
  }, 60_000);
});
