import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PageKeyService } from '../../src/apikey/page-key.service.js';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

const COMMENT = 'pages of this server';

const { privateKey: otherSigningKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

describe('PageKeyService', () => {
  let server: TestApp;
  let admin: Person;

  beforeEach(async () => {
    server = await startApp();
    admin = await person(server, 'ADMIN');
  });

  const keyOf = ({ app }: TestApp) => app.get(PageKeyService).find();
  const records = () => server.db.collection('api_keys').find({ comments: COMMENT }).toArray();
  const pathOf = async (): Promise<string> =>
    `/admin/apikeys/id/${String((await records())[0]?._id)}`;
  const statusOf = async (key: string | null): Promise<number> =>
    (await server.client.with({ 'x-api-key': key }).get('/auth/verify/apikey')).status;

  it('should make one key with the scope desk, however many processes ask at once', async () => {
    const other = await startApp({ uri: server.uri });
    const keys = await Promise.all(
      [server, other, server, other, server, other].map((one) => keyOf(one)),
    );
    keys.push(await keyOf(other));
    const [key] = keys;
    expect(key).toMatch(/^pr_[0-9A-Za-z]{49}$/);
    expect(new Set(keys).size).toBe(1);
    expect(await records()).toEqual([expect.objectContaining({ scopes: ['desk'] })]);
    const client = server.client.with({ 'x-api-key': key ?? '' });
    const { headers } = await client.get('/auth/verify/apikey');
    expect(headers.get('x-api-key-scopes')).toBe('desk');
    const list = await admin.client.get('/admin/apikeys');
    const rest = [list.text, JSON.stringify(await records())].join();
    expect(rest).toContain(COMMENT);
    expect(rest).not.toContain(key?.slice(8));
    await other.close();
  });

  it('should make the key anew after it was deleted, and none while it is disabled or expired', async () => {
    const first = await keyOf(server);
    await admin.client.delete(await pathOf());
    const second = await keyOf(server);
    expect([await statusOf(first), await statusOf(second)]).toEqual([403, 200]);
    await admin.client.put(await pathOf(), { enabled: false });
    expect([await keyOf(server), await statusOf(second)]).toEqual([null, 403]);
    await admin.client.put(await pathOf(), { enabled: true });
    expect(await keyOf(server)).toBe(second);
    await server.db
      .collection('api_keys')
      .updateOne({ comments: COMMENT }, { $set: { expiresAt: new Date(0) } });
    expect(await keyOf(server)).toBeNull();
  });

  it('should make the key anew when the signing key has changed', async () => {
    const first = await keyOf(server);
    const other = await startApp({ uri: server.uri, env: { JWT_PRIVATE_KEYS: otherSigningKey } });
    const [second, third] = await Promise.all([keyOf(other), keyOf(other)]);
    expect([second, third]).toEqual([third, await keyOf(other)]);
    expect(second).not.toBe(first);
    expect([await statusOf(second), (await records()).length]).toEqual([200, 1]);
    await other.close();
  });
});
