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

const PATH = '/assets/local.json';

interface Local {
  readonly apiKey?: string;
  readonly people: readonly { readonly email: string; readonly password: string }[];
}

describe('What the pages show of the data folder', () => {
  let folder: string;
  let url: string;
  let credentials: Credentials;
  let output: () => string;

  const linkOf = async (): Promise<string> => {
    const { stdout } = await runNode(['bin/pressroom.mjs', 'link'], { cwd: folder });
    return stdout.trim();
  };
  /** What the page gets that is opened by a link. */
  const opened = async (
    link: string,
    headers: RawRequest['headers'] = {},
    at = url,
  ): Promise<Local | undefined> => {
    const [, token] = link.split('#link=');
    const body = JSON.stringify({ token });
    const { text } = await send(at, PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    // Nobody gets the password of the admin.
    expect(text).not.toContain(credentials.adminPassword);
    return (JSON.parse(text) as { local?: Local }).local;
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    const env = { PORT: '0', HOST: '0.0.0.0', LOG_LEVEL: 'warn' };
    const server = startNode(['dist/main.js'], { cwd: folder, env });
    const { port } = new URL(await untilReady(server));
    url = `http://127.0.0.1:${port}`;
    output = () => server.output.stdout;
    credentials = await credentialsIn(join(folder, '.data'));
  }, 90_000);

  it('should be the API key, and no people without the demo, once, by the link that the start prints', async () => {
    const link = /http:\S+#link=[\w-]+/.exec(output())?.[0] ?? '';
    expect(link.startsWith(url)).toBe(true);
    expect(await opened(link)).toEqual({ apiKey: credentials.apiKey, people: [] });
    expect(await opened(link)).toBeUndefined();
  });

  it('should be the people of the demo, who can sign in, after the seed', async () => {
    const seeded = await runNode(['bin/pressroom.mjs', 'seed', '--demo'], { cwd: folder });
    const local = await opened(await linkOf());
    expect(local?.people).toHaveLength(4);
    for (const { email, password } of local?.people ?? []) {
      expect(seeded.stdout).toContain(password);
      await signInAdmin(url, { ...credentials, adminEmail: email, adminPassword: password });
    }
    await linkOf();
    for (const name of ['demo.json', 'start-link.json']) {
      const { mode } = await stat(join(folder, '.data', name));
      expect((mode & 0o777).toString(8)).toBe('600');
    }
  }, 60_000);

  // local-request.spec.ts tests the other requests that do not come from a page of this server.
  it('should be nothing for a request from elsewhere, which does not spend the link', async () => {
    const link = await linkOf();
    const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
    const { address = '127.0.0.1' } =
      addresses.find(({ internal, family }) => !internal && family === 'IPv4') ?? {};
    const elsewhere = address === '127.0.0.1' ? { via: '1.1 proxy' } : { host: 'localhost' };
    expect(await opened(link, elsewhere, url.replace('127.0.0.1', address))).toBeUndefined();
    expect(await opened(link, { host: 'rebound.example' })).toBeUndefined();
    expect(await opened(link, { host: 'evil.com@localhost' })).toBeUndefined();
    expect(await opened(link, { origin: 'http://localhost:1' })).toBeUndefined();
    expect(await opened(`${link}x`)).toBeUndefined();
    const own = { origin: url, 'sec-fetch-site': 'same-origin' };
    expect(await opened(link, own)).toMatchObject({ apiKey: credentials.apiKey });
  }, 30_000);

  it('should be nothing without a link', async () => {
    for (const [method, body] of [
      ['POST', '{}'],
      ['POST', '{"token":null}'],
      ['POST', '{"token":{"a":1}}'],
      ['GET', undefined],
    ] as const) {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const { text } = await send(url, PATH, { method, headers, ...(body && { body }) });
      expect(text).not.toContain(credentials.apiKey);
    }
    const { text, headers } = await send(url, '/assets/server.json');
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['version', 'database', 'links']);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('should not include an API key that an admin has deleted', async () => {
    await deleteApiKeys(url, credentials);
    const local = await opened(await linkOf());
    expect(local).toMatchObject({ people: expect.any(Array) });
    expect(local?.apiKey).toBeUndefined();
  });
});
