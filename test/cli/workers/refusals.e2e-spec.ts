import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabaseUri } from '../../support/mongo/mongo.js';
import { runNode, temporaryFolder } from '../../support/process.js';

describe('WORKERS=2 that cannot start', () => {
  let folder: string;

  const run = (
    program: string,
    env: Readonly<Record<string, string>> = {},
  ): ReturnType<typeof runNode> =>
    runNode([program], {
      cwd: folder,
      env: { NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'error', WORKERS: '2', ...env },
    });

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  it('should report an error of the settings once', async () => {
    const { code, stdout, stderr } = await run('dist/main.js', {
      MONGODB_URI: freshDatabaseUri(),
      JWT_PRIVATE_KEYS: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'JWT_PRIVATE_KEYS holds a private key that cannot be read\n' +
        'Pressroom cannot run: the database could not be prepared (exit code 1). ' +
        'If it said why, it is above.\n',
    );
  });

  it('should be refused under a process manager that runs several processes', async () => {
    expect(await run('test/cli/workers/fixture/process-manager.mjs')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'WORKERS must be 1 where a process manager runs several of Pressroom.\n',
    });
  });
});
