import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  commandsNaming,
  isRunning,
  nicenessOfThreads,
} from '../../platform/database/embedded/fixture/processes.js';
import { credentialsIn, signInAdmin, temporaryFolder } from '../../support/process.js';
import { until } from '../../support/time/wait.js';
import { beginRequest, isClosed } from './connections.js';
import { startServer, type WorkersServer } from './server.js';

describe('WORKERS=2 on an embedded database', () => {
  let folder: string;
  let server: WorkersServer;

  const dataFile = (name: string): string => join(folder, '.data', name);

  const start = async (): Promise<void> => {
    server = await startServer(folder, {});
  };

  /** Processes of mongod, without the watcher. */
  const mongods = (): string[] =>
    commandsNaming(`--dbpath ${dataFile('db')}`).filter(
      (line) => !line.includes('pressroom-mongod'),
    );

  /** All processes of the server. */
  const processes = (): number[] => [
    server.pid,
    ...server.workers(),
    ...commandsNaming(dataFile('db')).map((line) => Number.parseInt(line, 10)),
  ];

  const expectNothingLeft = async (pids: readonly number[]): Promise<void> => {
    expect(pids.length).toBeGreaterThanOrEqual(4);
    await until('all processes to end', () => !pids.some(isRunning), 20_000);
    expect(commandsNaming(folder)).toEqual([]);
  };

  const credentials = () => credentialsIn(join(folder, '.data'));
  const signIn = async () => signInAdmin(server.url, await credentials());

  beforeAll(async () => {
    folder = await temporaryFolder();
    await start();
  }, 90_000);

  afterAll(async () => {
    server?.child.kill('SIGKILL');
    await server?.ended;
    await until('mongod to end', () => mongods().length === 0);
  });

  it('should run one database, and create and show the credentials once', async () => {
    expect(mongods()).toHaveLength(1);
    expect(server.output.stdout.match(/API key {2,}pr_/g)).toHaveLength(1);
    await signIn();
  });

  it('should run the helper threads of V8 at a lower priority than the event loop of each worker', async () => {
    const expected = server.workers().map((pid) => [getPriority(pid) + 6]);
    const found = () => server.workers().map((pid) => nicenessOfThreads(pid, 'V8Worker'));
    await until('lower priorities', () => found().join() === expected.join());
    expect(found()).toEqual(expected);
    expect(found()).toHaveLength(2);
  });

  it('should finish its requests on SIGTERM, leave no process and lose no data', async () => {
    const pids = processes();
    const { apiKey } = await credentials();
    const content = { email: 'eve@example.org', password: 'correct horse battery', name: 'Eve' };
    const finish = await beginRequest(server.url, '/auth/signup/basic', apiKey, content);
    server.child.kill('SIGTERM');
    await until('the port to be closed', () => isClosed(server.url));
    expect(await finish()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await server.ended).toBe(0);
    expect(server.output.stderr).toBe('');
    expect(existsSync(dataFile('run.json'))).toBe(false);
    await expectNothingLeft(pids);
    await start();
    expect(server.output.stdout).not.toContain('API key');
    await signIn();
  }, 90_000);

  it('should leave no process after kill -9 of the supervisor', async () => {
    const pids = processes();
    server.child.kill('SIGKILL');
    await server.ended;
    await expectNothingLeft(pids);
    await start();
    await signIn();
  }, 90_000);
});
