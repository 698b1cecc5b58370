import { beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { SeedService } from '../../src/cli/setup/seed.service.js';
import type { Client } from '../support/client.js';
import { blogBody } from '../support/factories.js';
import { runs, RUNS_DEADLINE_MS } from '../support/scale.js';
import { validateEnv } from '../../src/platform/config/env.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';
import { dump } from './effects.js';

const SEEDED = {
  apiKey: 'key-of-the-seed-7f3a9c',
  adminEmail: 'editor-in-chief@example.org',
  adminPassword: 'password of the seed',
};
const USER = { email: 'ada@example.org', password: 'password of the user', name: 'Ada' };

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** These limits count requests, but refuse none. */
const GENEROUS_LIMITS = {
  RATE_LIMITS: 'on',
  GUESSES_PER_ACCOUNT: '9999999/1h',
  GUESSES_PER_NETWORK: '9999999/1h',
  GUESS_ALARM: '9999999/1h',
};

/** Every text in a value, however deep: names of fields, ids in hex, bytes in hex and base64. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    return [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
  }
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value instanceof mongoose.Types.ObjectId) return [value.toHexString()];
  if (value instanceof Date) return [value.toISOString()];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsIn(part)]);
}

describe('A dump of the whole database, after every kind of request', () => {
  let server: TestApp;
  /** Sends an API key that the server has made. */
  let client: Client;
  const issued: Tokens[] = [];
  const apiKeys: string[] = [SEEDED.apiKey];
  let previewToken: string;
  let texts: readonly string[];
  let allText: string;

  beforeAll(async () => {
    // The cost without the setting, at which the servers of other tests do not hash.
    const { BCRYPT_COST } = validateEnv({});
    server = await startApp({ env: { ...GENEROUS_LIMITS, BCRYPT_COST: String(BCRYPT_COST) } });
    await server.app.get(SeedService).seed(SEEDED);
    const seeded = server.client.with({ 'x-api-key': SEEDED.apiKey });

    const signedUp = (await seeded.post('/auth/signup/basic', USER)).body.data;
    const { adminEmail: email, adminPassword: password } = SEEDED;
    const admin = (await seeded.post('/auth/signin/basic', { email, password })).body.data;
    const secondSignIn = (await seeded.post('/auth/signin/basic', USER)).body.data;
    issued.push(signedUp.tokens, admin.tokens, secondSignIn.tokens);
    const { accessToken, refreshToken } = secondSignIn.tokens;
    const refreshed = await seeded
      .as(accessToken)
      .post('/auth/refresh', { refresh_token: refreshToken });
    issued.push(refreshed.body.data);

    const adminClient = seeded.as(admin.tokens.accessToken);
    const newKey = (await adminClient.post('/admin/apikeys', { comment: 'mobile app' })).body.data;
    apiKeys.push(newKey.key);
    client = server.client.with({ 'x-api-key': newKey.key });
    const blog = (await adminClient.post('/blog/author', blogBody())).body.data;
    const preview = await adminClient.post(`/blog/author/preview/id/${blog._id}`);
    previewToken = preview.body.data.token;
    await adminClient.put(`/blog/author/submit/${blog._id}`);
    await adminClient.put(`/blog/editor/publish/id/${blog._id}`);
    await client.post('/contact', { type: 'feedback', msg: 'Well done.' });
    await client.as(signedUp.tokens.accessToken).delete('/auth/signout');

    // `startApp` has stored the key of the tests in plain text.
    await server.db.collection('api_keys').deleteOne({ key: API_KEY });
    const keys = server.db.collection('api_keys');
    await until('the last use of both keys to be stored', async () => {
      return (await keys.countDocuments({ lastUsedAt: { $exists: true } })) === 2;
    });
    const documents = [...(await dump(server.db)).values()].flatMap((byId) => [...byId.values()]);
    texts = [...new Set(textsIn(documents))].filter((text) => text !== '');
    allText = texts.join('\n');
  });

  it('should contain records of every step', async () => {
    const collections = [...(await dump(server.db))].filter(([, documents]) => documents.size > 0);
    expect(collections.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'api_keys',
        'blog_previews',
        'blogs',
        'messages',
        'rate_limits',
        'sessions',
        'users',
      ]),
    );
    expect(texts).toEqual(expect.arrayContaining([USER.email, SEEDED.adminEmail, 'Well done.']));
    expect(texts.length).toBeGreaterThan(50);
  });

  it('should hold no password, API key or token, nor the secret part of a token', () => {
    const tokens = issued.flatMap(({ accessToken, refreshToken }) => [
      accessToken,
      refreshToken,
      accessToken.split('.')[2] ?? '',
      refreshToken.split('.')[4] ?? '',
    ]);
    const secrets = [...tokens, ...apiKeys, previewToken, USER.password, SEEDED.adminPassword];
    expect(secrets.filter((secret) => secret === '' || allText.includes(secret))).toEqual([]);
  });

  it('should hold no text that is accepted as an API key', async () => {
    const statuses = new Map<string, number>();
    for (const text of textsForHeaders()) {
      const { status } = await client.get('/auth/verify/apikey', {
        headers: { 'x-api-key': text, authorization: null },
      });
      statuses.set(text, status);
    }
    expect([...statuses].filter(([, status]) => status !== 403)).toEqual([]);
    expect((await client.get('/auth/verify/apikey')).status).toBe(200);
  });

  it('should hold no text that is accepted as the token of a preview', async () => {
    const statusOf = async (token: string): Promise<number> =>
      (await client.get(`/blog/preview/${encodeURIComponent(token)}`)).status;
    const statuses = new Map<string, number>();
    for (const text of texts) statuses.set(text, await statusOf(text));
    expect([...statuses].filter(([, status]) => status !== 404)).toEqual([]);
    expect(await statusOf(previewToken)).toBe(200);
  });

  it('should hold no text that is accepted as an access token', async () => {
    const statuses = new Map<string, number>();
    for (const text of textsForHeaders()) {
      statuses.set(text, (await client.as(text).get('/profile/mine')).status);
    }
    expect([...statuses].filter(([, status]) => status !== 401)).toEqual([]);
    expect((await client.as(currentTokens().accessToken).get('/profile/mine')).status).toBe(200);
  });

  it('should hold no text that is accepted as a refresh token', async () => {
    const { accessToken, refreshToken } = currentTokens();
    const caller = client.as(accessToken);
    const statuses = new Map<string, number>();
    for (const text of texts) {
      const { status } = await caller.post('/auth/refresh', { refresh_token: text });
      statuses.set(text, status);
    }
    // 422 means that the text is blank, or longer than any token.
    expect([...statuses].filter(([, status]) => status !== 401 && status !== 422)).toEqual([]);
    const answer = await caller.post('/auth/refresh', { refresh_token: refreshToken });
    expect(answer.status).toBe(200);
  });

  it(
    'should hold no text that is accepted as a password',
    async () => {
      const accounts = await server.db.collection('users').find().toArray();
      const addresses = accounts.map(({ email }) => String(email)).sort();
      expect(addresses).toEqual([USER.email, SEEDED.adminEmail].sort());
      for (const { password } of accounts) expect(password).toMatch(/^\$2b\$10\$[./\w]{53}$/);
      const statuses = new Set<number>();
      for (const account of accounts) {
        // An attempt takes 60 ms. So `npm test` tries the texts of the account, `npm run test:long` all texts.
        const others = texts.slice(0, runs({ short: 0, long: texts.length }));
        for (const password of new Set([...textsIn(account), ...others])) {
          const attempt = { email: account['email'], password };
          statuses.add((await client.post('/auth/signin/basic', attempt)).status);
        }
      }
      // 422 means that the text is longer than any password.
      expect([...statuses].filter((status) => status !== 401 && status !== 422)).toEqual([]);
      expect((await client.post('/auth/signin/basic', USER)).status).toBe(200);
    },
    RUNS_DEADLINE_MS,
  );

  /** The tokens that are valid now: the newest ones of the user's second session. */
  function currentTokens(): Tokens {
    const last = issued.at(-1);
    if (!last) throw new Error('no tokens have been issued');
    return last;
  }

  /** The texts that a header may hold: without control characters, and within Latin-1. */
  function textsForHeaders(): string[] {
    return texts.filter((text) => /^[\x21-\xff]([\x20-\xff]*[\x21-\xff])?$/.test(text));
  }
});
