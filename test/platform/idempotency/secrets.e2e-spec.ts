import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { signIn } from '../../support/factories.js';
import { startApp } from '../../support/start-app.js';
import { KINDS, kindOf, newAttempt, newKey, openFixture, send, type Fixture } from './kinds.js';

const newSigningKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

describe('a secret that is derived for an Idempotency-Key', () => {
  const [old, next] = [newSigningKey(), newSigningKey()];
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture(await startApp({ env: { JWT_PRIVATE_KEYS: old } }));
  });

  const kinds = KINDS.filter(({ secret }) => secret);

  it.each(kinds)(
    'should differ for each Idempotency-Key, and be accepted, unless it is of a webhook: $route',
    async (kind) => {
      const attempt = newAttempt(fixture, kind);
      const secrets = await Promise.all(
        [newKey(), newKey()].map(async (key) => {
          const { data } = (await send(attempt, key)).body;
          return data[(kind.secret ?? '') as '_id'] ?? '';
        }),
      );
      const [secret = ''] = secrets;
      expect(new Set(secrets).size).toBe(2);
      const { client } = fixture.server;
      if (kind.secret === 'key') {
        const answer = await client.with({ 'x-api-key': secret }).get('/blogs/latest');
        expect(answer.status).toBe(200);
      }
      if (kind.collection === 'blog_previews') {
        expect((await client.get(`/blog/preview/${secret}`)).status).toBe(200);
      }
      if (kind.collection === 'access_tokens') {
        expect((await client.as(secret).get('/profile/mine')).status).toBe(200);
      }
    },
  );

  it('should not be shown again after it was rotated', async () => {
    const kind = kindOf('POST /admin/webhooks');
    const [attempt, key] = [newAttempt(fixture, kind), newKey()];
    const { _id } = (await send(attempt, key)).body.data;
    await attempt.client.post(`/admin/webhooks/id/${_id}/rotate`);
    const { status, body } = await send(attempt, key);
    expect([status, body.reason]).toEqual([410, 'secret_gone']);
  });

  // This test runs last: all servers of a process check tokens with the signing keys of the newest server.
  it('should be shown again until its signing key is gone', async () => {
    const { uri } = fixture.server;
    const first = await Promise.all(
      kinds.map(async (kind) => {
        const [attempt, key] = [newAttempt(fixture, kind), newKey()];
        return { kind, attempt, key, ...(await send(attempt, key)) };
      }),
    );
    const rotating = await startApp({ uri, env: { JWT_PRIVATE_KEYS: `${next}\n${old}` } });
    for (const { attempt, key, body } of first) {
      const again = await send({ ...attempt, client: attempt.client.at(rotating.url) }, key);
      expect(again.body).toEqual(body);
    }
    const rotated = await startApp({ uri, env: { JWT_PRIVATE_KEYS: next } });
    for (const { kind, attempt, key } of first) {
      const { client } = await signIn(rotated.client, fixture[kind.by ?? 'admin'].email);
      const { status, body } = await send({ ...attempt, client }, key);
      const isPreview = kind.collection === 'blog_previews';
      const expected = isPreview ? [404, kind.goneReason] : [410, 'secret_gone'];
      expect([status, body.reason]).toEqual(expected);
    }
  });
});
