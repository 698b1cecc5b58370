import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  runNode,
  startNode,
  temporaryFolder,
  untilReady,
  type RunningProcess,
} from '../support/process.js';

const ENV = { PORT: '0', LOG_LEVEL: 'warn' };

interface Answer {
  readonly data: { readonly tokens: { readonly accessToken: string } };
}

describe('backup, restore and copy of an embedded database', () => {
  let folder: string;
  let server: RunningProcess;
  let accessToken: string;

  const run = (args: readonly string[], env = {}): ReturnType<typeof runNode> =>
    runNode(['bin/pressroom.mjs', ...args], { cwd: folder, env: { ...ENV, ...env } });
  const start = async (dataDir: string): Promise<string> => {
    server = startNode(['dist/main.js'], { cwd: folder, env: { ...ENV, DATA_DIR: dataDir } });
    return untilReady(server);
  };
  const stop = async (): Promise<void> => {
    server.child.kill('SIGTERM');
    await server.ended;
  };
  const credentials = async (dataDir: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(folder, dataDir, 'credentials.json'), 'utf8')) as Record<
      string,
      string
    >;
  const call = async (url: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const { apiKey = '' } = await credentials('.data');
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, ...init.headers };
    return fetch(`${url}${path}`, { ...init, headers });
  };
  const signIn = async (url: string): Promise<Response> => {
    const { adminEmail, adminPassword } = await credentials('.data');
    const body = JSON.stringify({ email: adminEmail, password: adminPassword });
    return call(url, '/auth/signin/basic', { method: 'POST', body });
  };
  const isSignedIn = async (url: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await call(url, '/profile/mine', { headers })).status === 200;
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    const url = await start('.data');
    ({
      data: {
        tokens: { accessToken },
      },
    } = (await (await signIn(url)).json()) as Answer);
  }, 90_000);

  it('should back up while the server runs, and restore only when it does not', async () => {
    expect(await run(['backup', 'a.backup'])).toMatchObject({ code: 0, stderr: '' });
    expect((await stat(join(folder, 'a.backup'))).mode & 0o777).toBe(0o600);
    expect(await run(['restore', 'a.backup', '--drop'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'A Pressroom process uses this database: stop it to restore.\n',
    });
    await stop();
  }, 120_000);

  it('should restore all to a new folder: people, sessions, and the credentials that are shown once', async () => {
    const restored = await run(['restore', 'a.backup'], { DATA_DIR: 'restored' });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(await credentials('restored')).toEqual(await credentials('.data'));
    for (const name of ['credentials.json', 'jwt-private-key.pem']) {
      expect((await stat(join(folder, 'restored', name))).mode & 0o777).toBe(0o600);
    }
    const url = await start('restored');
    expect(await isSignedIn(url)).toBe(true);
    expect((await signIn(url)).status).toBe(200);
    await stop();
  }, 120_000);

  it('should copy all to another folder in one command, and go on there', async () => {
    expect(await run(['copy', '--to', '.data'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The records are there already: name another database.\n',
    });
    const copied = await run(['copy', '--to', 'copied']);
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    expect(copied.stdout).toContain('Start the server with DATA_DIR=copied');
    const url = await start('copied');
    expect(await isSignedIn(url)).toBe(true);
    await stop();
  }, 120_000);
});
