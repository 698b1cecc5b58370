import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MIGRATIONS_LOCK } from '../../src/platform/database/migrations/migration.service.js';
import { temporaryFolder } from '../support/process.js';
import { openCommandFixture, type CommandFixture } from './fixture.js';

/** Each command starts a process. */
const TIMEOUT_MS = 120_000;

interface Check {
  readonly name: string;
  readonly result: string;
  readonly message: string;
}

jest.setTimeout(TIMEOUT_MS);

describe('pressroom doctor', () => {
  let fixture: CommandFixture;

  beforeAll(async () => {
    fixture = await openCommandFixture();
  });

  it('should check everything, leave the missing admin to the operator, and change nothing', async () => {
    const { db } = fixture.server;
    const names = async () => (await db.listCollections().toArray()).map(({ name }) => name).sort();
    const before = await names();
    const { result, checks } = await fixture.json(['doctor'], { code: 2 });
    expect(result).toBe('warn');
    expect(checks.map((check: Check) => [check.name, check.result])).toEqual([
      ...['version', 'settings', 'signing key', 'database'].map((name) => [name, 'ok']),
      ...['reads and writes', 'clock', 'migrations', 'API keys'].map((name) => [name, 'ok']),
      ['admins', 'warn'],
      ['disk of the database', expect.any(String)],
    ]);
    expect(await names()).toEqual(before);
    // Beside that of the migrations, which the server of this test has run.
    const jobs = await db.collection('background_jobs').distinct('_id');
    expect(jobs).toEqual([MIGRATIONS_LOCK]);
  });

  it('should check the rest when the database cannot be reached', async () => {
    const file = join(await temporaryFolder(), 'jwt.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o644 });
    const { code, stdout, stderr } = await fixture.run(['doctor'], {
      env: {
        MONGODB_URI: 'mongodb://127.0.0.1:1/x',
        JWT_PRIVATE_KEYS: '',
        JWT_PRIVATE_KEYS_FILE: file,
      },
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^fail {2}database +The database cannot be reached .*\.$/m);
    expect(stdout).toMatch(/^warn {2}signing key +Others may read .* run "chmod 600 .*"\.$/m);
  });

  it('should say each wrong setting in one sentence', async () => {
    const { code, stdout } = await fixture.run(['doctor'], { env: { PORT: 'abc', DOCS: 'maybe' } });
    const failed = stdout.split('\n').filter((line) => line.startsWith('fail'));
    expect([code, failed]).toEqual([
      1,
      [expect.stringContaining('PORT must be'), expect.stringContaining('DOCS must be')],
    ]);
  });
});
