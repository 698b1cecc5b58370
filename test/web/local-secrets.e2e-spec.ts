import { stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { send, type RawRequest } from '../platform/http/raw-http.js';
import {
  credentialsIn,
  deleteApiKeys,
  runNode,
  signInAdmin,
  startNode,
  temporaryFolder,
  untilReady,
  type Credentials,
} from '../support/process.js';

const PATH = '/assets/server.json';

interface Facts {
  readonly version: string;
  readonly database: string;
  readonly local?: {
    readonly apiKey?: string;
    readonly people: readonly { readonly email: string; readonly password: string }[];
  };
}

describe('What the pages show of the data folder', () => {
  let folder: string;
  let url: string;
  let credentials: Credentials;

  const factsOf = async (headers: RawRequest['headers'] = {}, at = url): Promise<Facts> => {
    const { text } = await send(at, PATH, { headers });
    // Nobody gets the password of the admin.
    expect(text).not.toContain(credentials.adminPassword);
    return JSON.parse(text) as Facts;
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    const env = { PORT: '0', HOST: '0.0.0.0', LOG_LEVEL: 'warn' };
    const server = startNode(['dist/main.js'], { cwd: folder, env });
    const { port } = new URL(await untilReady(server));
    url = `http://127.0.0.1:${port}`;
    credentials = await credentialsIn(join(folder, '.data'));
  }, 90_000);

  it('should be the API key, and no people without the demo', async () => {
    const { database, local } = await factsOf();
    expect(database).toBe('embedded');
    expect(local).toEqual({ apiKey: credentials.apiKey, people: [] });
  });

  it('should be the people of the demo, who can sign in, after the seed', async () => {
    const seeded = await runNode(['bin/pressroom.mjs', 'seed', '--demo'], { cwd: folder });
    const { local } = await factsOf();
    expect(local?.people).toHaveLength(4);
    for (const { email, password } of local?.people ?? []) {
      expect(seeded.stdout).toContain(password);
      await signInAdmin(url, { ...credentials, adminEmail: email, adminPassword: password });
    }
    const { mode } = await stat(join(folder, '.data/demo.json'));
    expect((mode & 0o777).toString(8)).toBe('600');
  }, 60_000);

  // local-request.spec.ts tests the other requests that do not come from a page of this server.
  it('should be nothing for a host name that a foreign DNS server may resolve', async () => {
    const facts = await factsOf({ host: 'rebound.example' });
    expect(facts.version).toBeTruthy();
    expect(facts.local).toBeUndefined();
  });

  it('should be nothing for another machine, and readable by no other origin', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
    const { address } =
      addresses.find(({ internal, family }) => !internal && family === 'IPv4') ?? {};
    if (address) {
      const facts = await factsOf({ host: 'localhost' }, url.replace('127.0.0.1', address));
      expect(facts.local).toBeUndefined();
    }
    const { headers } = await send(url, PATH);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  it('should not include an API key that an admin has deleted', async () => {
    await deleteApiKeys(url, credentials);
    const { local } = await factsOf();
    expect(local).toMatchObject({ people: expect.any(Array) });
    expect(local?.apiKey).toBeUndefined();
  });
});
