import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { Logger, type LoggerService } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SharedPort } from '../../../src/cli/workers/messages.js';
import { findSharedPort } from '../../../src/cli/workers/shared-port.js';
import { WorkerPool, type WorkerPoolOptions } from '../../../src/cli/workers/pool/worker-pool.js';
import { isRunning, listenersOf } from '../../platform/database/embedded/fixture/processes.js';
import { temporaryFolder } from '../../support/process.js';
import { until } from '../../support/time/wait.js';
import { childrenRunning } from './server.js';

const PROGRAM = join(import.meta.dirname, 'fixture/fake-worker.mjs');
const HOST = '127.0.0.1';

/** Records the log of the pool. */
class Lines implements Pick<LoggerService, 'log' | 'error' | 'warn'> {
  readonly all: string[] = [];
  readonly error = (message: string): number => this.all.push(message);
  readonly warn = this.error;
  readonly log = this.error;
}

describe('WorkerPool', () => {
  const lines = new Lines();
  const failures: Error[] = [];
  let pool: WorkerPool | null = null;

  function create(behaviour: string, options: Partial<WorkerPoolOptions> = {}): WorkerPool {
    pool = new WorkerPool({
      size: 2,
      program: PROGRAM,
      env: { BEHAVIOUR: behaviour },
      findPort: (previous) => findSharedPort({ host: HOST, port: previous?.port ?? 0 }),
      onFailure: (error) => failures.push(error),
      ...options,
    });
    return pool;
  }

  const workers = (): number[] => childrenRunning('fake-worker.mjs', process.pid);

  /** The process id of the worker that answers. */
  const answeringPid = async (url: string): Promise<number> =>
    Number(await (await fetch(url, { signal: AbortSignal.timeout(1_000) })).text());

  beforeAll(() => Logger.overrideLogger(lines));
  afterAll(() => Logger.overrideLogger(false));

  afterEach(async () => {
    await pool?.stop();
    pool = null;
    lines.all.length = 0;
    failures.length = 0;
  });

  describe.each([
    ['SO_REUSEPORT', true],
    ['node:cluster, without SO_REUSEPORT', false],
  ])('with %s', (_how, canReusePort) => {
    const findPort: WorkerPoolOptions['findPort'] = (previous) =>
      findSharedPort({ host: HOST, port: previous?.port ?? 0 }, canReusePort);

    it('should replace a worker that was killed, on the same port', async () => {
      const url = await create('serves', { findPort }).start();
      const killed = await answeringPid(url);
      process.kill(killed, 'SIGKILL');
      const seen = new Set<number>();
      await until('two other workers to answer', async () => {
        const answer = await answeringPid(url).catch(() => killed);
        if (answer !== killed) seen.add(answer);
        return seen.size === 2;
      });
      expect(lines.all).toEqual([`worker ${killed} ended (SIGKILL); another starts in 200 ms`]);
    });

    it('should restart all workers on request, and lose no connection', async () => {
      const url = await create('serves', { findPort }).start();
      let isOver = false;
      const answers = Array.from({ length: 4 }, async () => {
        const pids = new Set<number>();
        while (!isOver) pids.add(await answeringPid(url));
        return pids;
      });
      const first = pool?.restart();
      await until('the restart to begin', () => workers().length > 2);
      // These two calls wait for the first restart, and then share the second one.
      const [second, third] = [pool?.restart(), pool?.restart()];
      expect([await first, await second, await third]).toEqual([true, true, true]);
      isOver = true;
      const seen = new Set((await Promise.all(answers)).flatMap((pids) => [...pids]));
      expect(seen.size).toBeGreaterThan(2);
      expect(workers()).toHaveLength(2);
      const replaced = lines.all.map(
        (line) => /^worker \d+ has replaced worker (\d+)$/.exec(line)?.[1],
      );
      expect(new Set([...replaced, ...workers().map(String)]).size).toBe(6);
    }, 60_000);

    it('should restart on the same port when all workers were killed at the same time', async () => {
      const url = await create('serves', { size: 3, findPort }).start();
      const killed = new Set<number>();
      await until('every worker to have answered', async () => {
        killed.add(await answeringPid(url));
        return killed.size === 3;
      });
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      await until(
        'a new worker to answer',
        async () => {
          const answer = await answeringPid(url).catch(() => null);
          return answer !== null && !killed.has(answer);
        },
        30_000,
      );
      expect(failures).toEqual([]);
    }, 60_000);
  });

  it.each([
    ['fails before it is initialised', 'exit code 3'],
    ['fails when it should listen', 'exit code 4'],
  ])('should fail to start when a worker %s', async (behaviour, end) => {
    await expect(create(behaviour).start()).rejects.toThrow(
      `Pressroom cannot run: a worker process ended before it took requests (${end}).`,
    );
    expect(lines.all).toEqual([]);
  });

  it('should increase the delay each time that a worker ends soon after its start', async () => {
    void create('fails when it serves', { size: 1 }).start();
    await until('two workers to end', () => lines.all.length === 2);
    expect(lines.all.map((line) => line.replace(/\d+/, 'N'))).toEqual([
      'worker N ended (exit code 5); another starts in 200 ms',
      'worker N ended (exit code 5); another starts in 400 ms',
    ]);
  });

  it('should reset the delay when a worker has run for a while', async () => {
    void create('fails when it serves', { size: 1, stableAfterMs: 0 }).start();
    await until('three workers to end', () => lines.all.length === 3);
    for (const line of lines.all) expect(line).toContain('another starts in 100 ms');
  });

  it('should keep running while one worker listens and the other cannot be replaced', async () => {
    const env: Record<string, string> = {};
    const url = await create('serves', { env, delay: () => 1 }).start();
    const [killed = 0] = workers();
    env['BEHAVIOUR'] = 'fails before it is initialised';
    process.kill(killed, 'SIGKILL');
    await until('seven workers to end', () => lines.all.length === 7);
    expect(failures).toEqual([]);
    expect(await answeringPid(url)).not.toBe(killed);
  });

  it('should hand its listening sockets to the new workers', async () => {
    // Inodes of the listening sockets (proc_net_tcp(5)). A connection that waits to be accepted stays with its socket.
    const sockets = () => workers().map((pid) => listenersOf(pid).tcp[0]?.split(' ')[9]);
    await create('serves').start();
    const before = sockets();
    expect(await pool?.restart()).toBe(true);
    expect(sockets()).toEqual(before);
  });

  it.each([
    ['fails before it is initialised', 'another one ended before it took requests'],
    ['is not ready', 'not ready: migrate'],
  ])('should keep all workers when a new one %s', async (behaviour, why) => {
    const env: Record<string, string> = {};
    const url = await create('serves', { env }).start();
    const before = workers();
    env['BEHAVIOUR'] = behaviour;
    expect(await pool?.restart()).toBe(false);
    expect(workers()).toEqual(before);
    expect(before).toContain(await answeringPid(url));
    expect(lines.all).toEqual([`worker ${before[0]} goes on: ${why}`]);
  });

  it('should replace a worker only once if it ends while it is being replaced', async () => {
    const env: Record<string, string> = {};
    await create('serves', { env, delay: () => 1 }).start();
    const [killed = 0, other = 0] = workers();
    env['BEHAVIOUR'] = 'is slow';
    const restarted = pool?.restart();
    await until('a third worker', () => workers().length === 3);
    process.kill(killed, 'SIGKILL');
    expect(await restarted).toBe(true);
    expect(workers()).toHaveLength(2);
    expect([killed, other].filter(isRunning)).toEqual([]);
  });

  it('should fail when no worker listens and none can be started', async () => {
    const env: Record<string, string> = {};
    await create('serves', { env, size: 1, delay: () => 1 }).start();
    env['BEHAVIOUR'] = 'fails before it is initialised';
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    await until('the failure', () => failures.length > 0);
    expect(lines.all).toHaveLength(4);
    expect(failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('a worker process ended before it took requests (exit code 3)'),
    ]);
  });

  it('should look for a port only once, although all workers are ready to listen at the same time', async () => {
    const folder = await temporaryFolder();
    const calls: (SharedPort | null)[] = [];
    const findPort: WorkerPoolOptions['findPort'] = async (previous) => {
      calls.push(previous);
      await until('all to be initialised', async () => (await readdir(folder)).length === 3);
      return findSharedPort({ host: HOST, port: 0 });
    };
    const env = { FOLDER: folder };
    const url = await create('serves', { size: 3, env, findPort }).start();
    expect(calls).toEqual([null]);
    const { port } = new URL(url);
    expect(workers().map((pid) => listenersOf(pid).tcp.length)).toEqual([1, 1, 1]);
    const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
    for (const pid of workers()) expect(listenersOf(pid).tcp[0]).toContain(`:${hex} `);
  });

  it('should fail when another program has taken the port', async () => {
    // The delay is long enough to take the port before the worker is replaced.
    const url = await create('serves', { size: 1, delay: () => 1_000 }).start();
    const port = Number(new URL(url).port);
    const [pid = 0] = workers();
    process.kill(pid, 'SIGKILL');
    await until('the worker to end', () => !isRunning(pid));
    const { server } = await takePort(port);
    await until('the failure', () => failures.length > 0);
    expect(failures).toEqual([expect.objectContaining({ code: 'EADDRINUSE' })]);
    server.close();
  });

  it('should kill a worker that does not stop', async () => {
    const running = create('does not stop', { stopDeadlineMs: 300 });
    await running.start();
    const pids = workers();
    expect(pids).toHaveLength(2);
    const start = performance.now();
    await running.stop();
    expect(performance.now() - start).toBeGreaterThanOrEqual(290);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('should start no worker once it stops, not even a replacement that is due', async () => {
    const running = create('fails when it serves', { size: 1 });
    void running.start();
    await until('the worker to end', () => lines.all.length === 1);
    await running.stop();
    expect(workers()).toEqual([]);
  });
});

async function takePort(port = 0): Promise<{ port: number; server: Server }> {
  const server = createServer().listen(port, HOST);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, server };
}
