import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  credentialsIn,
  runNode,
  signInAdmin,
  startNode,
  temporaryFolder,
  untilReady,
  type Credentials,
  type RunningProcess,
} from '../support/process.js';

const ENV = { PORT: '0', LOG_LEVEL: 'warn' };

describe('backup, restore and copy of an embedded database', () => {
  let folder: string;
  let server: RunningProcess;
  let credentials: Credentials;
  /** The headers of a session that was opened before the backup. */
  let headers: Record<string, string>;

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
  const expectSecretsIn = async (dataDir: string): Promise<void> => {
    expect(await credentialsIn(join(folder, dataDir))).toEqual(credentials);
    for (const name of ['credentials.json', 'jwt-private-key.pem']) {
      expect((await stat(join(folder, dataDir, name))).mode & 0o777).toBe(0o600);
    }
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    const url = await start('.data');
    credentials = await credentialsIn(join(folder, '.data'));
    ({ headers } = await signInAdmin(url, credentials));
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
    const restored = await run(['restore', 'a.backup'], { DATA_DIR: 'restored' });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    await expectSecretsIn('restored');
  }, 120_000);

  it('should copy the restored database in one command, with its people and sessions', async () => {
    const from = { DATA_DIR: 'restored' };
    expect(await run(['copy', '--to', 'restored'], from)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The records are there already: name another database.\n',
    });
    const copied = await run(['copy', '--to', 'copied'], from);
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    expect(copied.stdout).toContain('Start the server with DATA_DIR=copied');
    await expectSecretsIn('copied');
    const url = await start('copied');
    expect((await fetch(`${url}/profile/mine`, { headers })).status).toBe(200);
    await signInAdmin(url, credentials);
    await stop();
  }, 120_000);
});
