import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorError } from '../../../src/platform/config/operator.error.js';
import { awaitDatabase } from '../../../src/platform/database/connection/await-database.js';
import { atEnd } from '../../support/clean-up.js';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import { runNode, temporaryFolder } from '../../support/process.js';

describe('a start that is refused', () => {
  const uri = freshDatabaseUri();
  let cwd: string;
  /** A port of 127.0.0.1 that is in use. */
  let taken: string;

  beforeAll(async () => {
    cwd = await temporaryFolder();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => server.close());
    taken = String((server.address() as AddressInfo).port);
  });

  it.each([
    ['an unknown host of the database', 'mongodb://nowhere.invalid/x', 'No host of the database'],
    ['an unknown user', uri.replace('//', '//nobody:wrong@'), 'The database refuses the user'],
  ])('should not retry the connection: %s', async (_, badUri, text) => {
    const start = performance.now();
    const connecting = awaitDatabase(badUri, { once: false });
    await expect(connecting).rejects.toThrow(OperatorError);
    await expect(connecting).rejects.toThrow(text);
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  const UNREADABLE = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';

  it.each<[string, () => Record<string, string>, string]>([
    [
      'HOST of another machine',
      () => ({ HOST: '192.0.2.1' }),
      'The server cannot listen .* no such address: set HOST .*\\.',
    ],
    [
      'METRICS_PORT that is in use',
      () => ({ METRICS_PORT: taken }),
      'metrics: listen EADDRINUSE: address already in use 127.0.0.1:\\d+: ' +
        'another program has the port; stop it, or set METRICS_PORT\\.',
    ],
    [
      'METRICS_HOST of another machine, with workers',
      () => ({ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1', WORKERS: '2' }),
      'metrics: listen EADDRNOTAVAIL: address not available 192.0.2.1: ' +
        'this machine does not have the address; set METRICS_HOST\\.',
    ],
    [
      'a signing key that cannot be read, with workers',
      () => ({ JWT_PRIVATE_KEYS: UNREADABLE, WORKERS: '2' }),
      'JWT_PRIVATE_KEYS holds a private key that cannot be read\n' +
        'Pressroom cannot run: the database could not be prepared \\(exit code 1\\)\\. ' +
        'If it said why, it is above\\.',
    ],
  ])('should print the reason once, in sentences: %s', async (_, env, words) => {
    const settings = { MONGODB_URI: uri, PORT: '0', NODE_ENV: 'test', LOG_LEVEL: 'silent' };
    const { code, stdout, stderr } = await runNode(['dist/main.js'], {
      cwd,
      env: { ...settings, ...env() },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${words}\n$`));
  });

  it('should say that WORKERS must be 1 under a process manager that runs several processes', async () => {
    const program = 'test/cli/workers/fixture/process-manager.mjs';
    const env = { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'error', WORKERS: '2' };
    expect(await runNode([program], { cwd, env })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'WORKERS must be 1 where a process manager runs several of Pressroom.\n',
    });
  });
});
