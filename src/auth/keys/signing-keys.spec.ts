import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { validateEnv, type Env } from '../../platform/config/env.js';
import { SigningKeys } from './signing-keys.js';

const rsa = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
const ed25519 = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('SigningKeys', () => {
  const [first, second] = [rsa(2048), rsa(2048)];
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pressroom-keys-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  const envWith = (settings: Record<string, string>): Env =>
    validateEnv({ NODE_ENV: 'test', DATA_DIR: join(folder, 'data'), ...settings });
  const load = (pem: string) => SigningKeys.load(envWith({ JWT_PRIVATE_KEYS: pem }));

  it('should use the first key as the current one, and find every key by its id', async () => {
    const keys = await load(first + second);
    const kids = keys.toJwks().keys.map(({ kid }) => kid as string);
    expect(kids).toHaveLength(2);
    expect(new Set(kids).size).toBe(2);
    expect(keys.current.kid).toBe(kids[0]);
    expect(kids.map((kid) => keys.find(kid)?.kid)).toEqual(kids);
    expect(keys.find('another')).toBeNull();
    expect((await load(second)).current.kid).toBe(kids[1]);
  });

  it('should derive the same refresh key every time, and a different one from another key', async () => {
    const [keys, sameKeys, otherKeys] = [await load(first), await load(first), await load(second)];
    expect(keys.current.refreshKey.equals(sameKeys.current.refreshKey)).toBe(true);
    expect(keys.current.refreshKey.equals(otherKeys.current.refreshKey)).toBe(false);
  });

  it('should publish no private member of a key', async () => {
    const { keys } = (await load(first)).toJwks();
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('should read line breaks that are written as \\n', async () => {
    const keys = await load((first + second).replaceAll('\n', '\\n'));
    expect(keys.toJwks()).toEqual((await load(first + second)).toJwks());
  });

  it.each([
    ['a short key', rsa(1024), 'JWT_PRIVATE_KEYS must hold RSA keys of at least 2048 bits'],
    ['an Ed25519 key', ed25519(), 'JWT_PRIVATE_KEYS must hold RSA keys'],
    ['a short key after a good one', first + rsa(1024), 'at least 2048 bits'],
    [
      'a truncated key',
      first.replace(/\n.{64}\n/, '\n'),
      'holds a private key that cannot be read',
    ],
    [
      'a key without a footer',
      first.replace(/-----END.*/, ''),
      'JWT_PRIVATE_KEYS holds no private key in PEM',
    ],
  ])('should refuse %s', async (_, pem, message) => {
    await expect(load(pem)).rejects.toThrow(message);
  });

  it('should read a file, and name the file if it cannot be read', async () => {
    const path = join(folder, 'keys.pem');
    await writeFile(path, second + first);
    const keys = await SigningKeys.load(envWith({ JWT_PRIVATE_KEYS_FILE: path }));
    expect(keys.toJwks()).toEqual((await load(second + first)).toJwks());
    const missing = envWith({ JWT_PRIVATE_KEYS_FILE: join(folder, 'none.pem') });
    await expect(SigningKeys.load(missing)).rejects.toThrow(/JWT_PRIVATE_KEYS_FILE .*none\.pem/);
  });

  it('should read the key that an earlier start generated', async () => {
    const env = envWith({});
    await mkdir(env.DATA_DIR);
    await writeFile(join(env.DATA_DIR, 'jwt-private-key.pem'), first);
    expect((await SigningKeys.load(env)).current.kid).toBe((await load(first)).current.kid);
  });
});
