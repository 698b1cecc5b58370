import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startNode, temporaryFolder, untilReady } from '../../support/process.js';

/** Starts on the same embedded database, with and without the native module. */
const STARTS = [
  ['@node-rs/bcrypt', {}],
  // Makes the module look for a build of another platform, which is not installed.
  ['bcryptjs', { NAPI_RS_FORCE_WASI: 'error' }],
] as const;

describe('the bcrypt module in use', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
  });

  const signIn = async (url: string): Promise<number> => {
    const { apiKey, adminEmail, adminPassword } = JSON.parse(
      await readFile(join(folder, '.data/credentials.json'), 'utf8'),
    ) as Record<'apiKey' | 'adminEmail' | 'adminPassword', string>;
    const { status } = await fetch(`${url}/auth/signin/basic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ email: adminEmail, password: adminPassword }),
    });
    return status;
  };

  // The first start hashes the password, and the other one checks it.
  it.each(STARTS)(
    'should be logged once, and accept the same passwords: %s',
    async (name, env) => {
      const server = startNode(['dist/main.js'], {
        cwd: folder,
        env: { PORT: '0', NODE_ENV: 'test', LOG_LEVEL: 'info', ...env },
      });
      try {
        expect(await signIn(await untilReady(server))).toBe(200);
      } finally {
        server.child.kill('SIGTERM');
        await server.ended;
      }
      const said = server.output.stdout.match(/passwords are hashed by [^"]+/g);
      expect(said).toEqual([`passwords are hashed by ${name}`]);
    },
    90_000,
  );
});
