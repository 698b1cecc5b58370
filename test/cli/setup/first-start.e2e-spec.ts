import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  credentialsIn,
  deleteApiKeys,
  runNode,
  signInAdmin,
  startNode,
  temporaryFolder,
  untilReady,
  type RunningProcess,
} from '../../support/process.js';
import { nicenessOfThreads } from '../../platform/database/embedded/fixture/processes.js';
import { until } from '../../support/time/wait.js';

const START_ENV = { PORT: '0', LOG_LEVEL: 'warn' };

describe('npm start on an embedded database', () => {
  let folder: string;
  let server: RunningProcess;
  let url: string;

  const start = async (): Promise<void> => {
    server = startNode(['dist/main.js'], { cwd: folder, env: START_ENV });
    url = await untilReady(server);
  };

  const credentials = () => credentialsIn(join(folder, '.data'));
  const signIn = async () => signInAdmin(url, await credentials());

  beforeAll(async () => {
    folder = await temporaryFolder();
    await start();
  }, 90_000);

  it('should print the credentials, and store them readable by the owner only', async () => {
    const { apiKey, adminEmail, adminPassword } = await credentials();
    for (const value of [url, apiKey, adminEmail, adminPassword, `${url}/docs`]) {
      expect(server.output.stdout).toContain(value);
    }
    for (const file of ['credentials.json', 'jwt-private-key.pem']) {
      const { mode } = await stat(join(folder, '.data', file));
      expect((mode & 0o777).toString(8)).toBe('600');
    }
  });

  it('should run the helper threads of V8 at a lower priority than the event loop', async () => {
    const pid = server.child.pid ?? 0;
    const own = getPriority(pid);
    await until('a lower priority', () => nicenessOfThreads(pid, 'V8Worker')[0] === own + 6);
    expect(nicenessOfThreads(pid, 'V8Worker')).toEqual([own + 6]);
  });

  it('should print a curl command that works', async () => {
    const line = /curl .*/.exec(server.output.stdout)?.[0] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toEqual({
      code: '10000',
      status: 200,
      message: 'success',
      data: [],
    });
  });

  it('should let the admin sign in with all four roles', async () => {
    expect((await signIn()).roles).toEqual(['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN']);
  });

  it('should refuse a second start in the same folder, and print the process id of the first', async () => {
    const second = await runNode(['dist/main.js'], { cwd: folder, env: START_ENV });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(String(server.child.pid));
    expect(second.stderr).not.toMatch(/^\s+at /m);
  });

  it('should insert no second API key when `seed` runs on the running database', async () => {
    const seeded = await runNode(['bin/pressroom.mjs', 'seed'], { cwd: folder, env: START_ENV });
    expect(seeded).toMatchObject({ code: 0, stderr: '' });
    expect(seeded.stdout).toContain('API key: already there');
    await signIn();
  });

  it('should end with code 0 on SIGTERM, and keep the credentials without printing them again', async () => {
    const before = await credentials();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.output.stderr).toBe('');
    await start();
    expect(server.output.stdout).not.toContain(before.apiKey);
    expect(server.output.stdout).toContain('.data/credentials.json');
    expect(await credentials()).toEqual(before);
    await signIn();
  }, 60_000);

  it('should not restore a deleted API key', async () => {
    await deleteApiKeys(url, await credentials());
    server.child.kill('SIGTERM');
    await server.ended;
    await start();
    const { apiKey } = await credentials();
    const { status } = await fetch(`${url}/blogs/latest`, { headers: { 'x-api-key': apiKey } });
    expect(status).toBe(403);
  }, 60_000);
});
