import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkSecrets } from './secret-checks.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { validateEnv, type Env } from '../../platform/config/env.js';
import { readCredentials, readOrCreateCredentials } from '../../admin/credentials.js';

describe('credentials.json', () => {
  let folder: string;
  let env: Env;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pressroom-test-'));
    env = validateEnv({ DATA_DIR: folder });
  });

  afterEach(() => rm(folder, { recursive: true }));

  const create = (hasAdmin: boolean) =>
    readOrCreateCredentials(env, () => Promise.resolve(hasAdmin));

  it('should get an admin with a password at the first start', async () => {
    const { credentials, created } = await create(false);
    expect(created).toBe(true);
    expect(credentials.adminPassword).toMatch(/^[\w-]{22}$/);
    expect(await create(true)).toEqual({ credentials, created: false });
  });

  it('should get no password that is not that of the admin, when it was lost', async () => {
    const { credentials, created } = await create(true);
    expect({ ...credentials, created }).toEqual({
      apiKey: expect.stringMatching(/^pr_/),
      adminEmail: '',
      adminPassword: '',
      created: true,
    });
    expect(await readFile(join(folder, 'credentials.json'), 'utf8')).toContain('"adminEmail": ""');
    expect(await readCredentials(folder)).toEqual(credentials);
  });

  it.each(['', '{', 'null', '[]', '{"apiKey":""}', '{"apiKey":"pr_x","adminEmail":1}'])(
    'should be refused in one sentence, also by doctor, when it is broken: %s',
    async (text) => {
      await writeFile(join(folder, 'credentials.json'), text, { mode: 0o600 });
      await expect(create(false)).rejects.toThrow(OperatorError);
      const checks = await checkSecrets(env);
      expect(checks.find(({ name }) => name === 'credentials.json')).toMatchObject({
        result: 'fail',
        message: expect.stringMatching(/credentials\.json does not hold .*: correct the file, or/),
      });
    },
  );
});
