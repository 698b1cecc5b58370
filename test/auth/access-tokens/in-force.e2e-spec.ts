import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { PASSWORD, blogBody, person, type Person } from '../../support/factories.js';
import type { Client } from '../../support/client.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY, holdClock, SECOND } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';

const MINE = '/profile/mine';

describe('a personal access token', () => {
  let server: TestApp;
  let other: TestApp;
  let admin: Person;
  let ada: Person;
  let tokenId: string;
  /** Sends the token of ada, who is author and editor; the token grants AUTHOR only. */
  let program: Client;

  beforeAll(async () => {
    server = await startApp({ env: { ACCESS_TOKEN_TTL: '400d' } });
    other = await startApp({ uri: server.uri });
    admin = await person(server, 'ADMIN');
  });

  beforeEach(async () => {
    ada = await person(server, 'AUTHOR', 'EDITOR');
    const body = { name: 'program', roles: ['AUTHOR'] };
    const { data } = (await ada.client.post('/auth/tokens', body)).body;
    tokenId = data._id;
    program = server.client.as(data.token as string);
  });

  const statusOf = async (client: Client, path = MINE): Promise<number> =>
    (await client.get(path)).status;
  const untilRefused = async (client: Client, path = MINE, status = 401): Promise<void> => {
    await until(
      'the token to be refused',
      async () => (await statusOf(client, path)) === status,
      2_000,
    );
  };

  it('should act for its owner with its own roles only', async () => {
    const { body } = await program.get(MINE);
    expect(body.data).toMatchObject({ _id: ada._id });
    expect((await program.post('/blog/author', blogBody())).status).toBe(200);
    const refused = await program.get('/blog/editor/scheduled');
    expect([refused.status, refused.body.reason]).toEqual([403, 'insufficient_role']);
    expect(await statusOf(ada.client, '/blog/editor/scheduled')).toBe(200);
  });

  it('should serve an admin on the routes of admins, but make no API keys', async () => {
    const body = { name: 'program', roles: ['ADMIN'] };
    const { token } = (await admin.client.post('/auth/tokens', body)).body.data;
    const script = server.client.as(token as string);
    for (const path of ['/admin/events', '/admin/webhooks', '/admin/apikeys']) {
      expect([path, await statusOf(script, path)]).toEqual([path, 200]);
    }
    const refused = await script.post('/admin/apikeys', {});
    expect(refused.body).toEqual({
      code: '10001',
      status: 403,
      message: 'sign in: a personal access token cannot do this',
      reason: 'session_needed',
    });
  });

  it.each([
    [
      'of another letter',
      (token: string) => `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
    ],
    ['that is unknown', () => `prt_${'0'.repeat(49)}`],
    ['that is too short', () => 'prt_'],
    ['with text after it', (token: string) => `${token} more`],
    ['as it is stored', () => 'prt_'.padEnd(68, 'f')],
  ])('should be refused if a token is sent %s', async (_, change) => {
    const token = (program.headers['authorization'] ?? '').replace('Bearer ', '');
    const { status, body } = await program.as(change(token)).get(MINE);
    expect([status, body.code, body.reason]).toEqual([401, '10003', 'access_token_invalid']);
  });

  it('should end within a second on every process when it is deleted', async () => {
    const there = program.at(other.url);
    expect([await statusOf(program), await statusOf(there)]).toEqual([200, 200]);
    await ada.client.delete(`/auth/tokens/id/${tokenId}`);
    expect(await statusOf(program)).toBe(401);
    await untilRefused(there);
  });

  it('should lose a role with its owner, and get it back', async () => {
    const there = program.at(other.url);
    const path = '/blog/author/drafts';
    const setRoles = (...roles: string[]) =>
      admin.client.put(`/admin/users/id/${ada._id}/roles`, { roles });
    expect([await statusOf(program, path), await statusOf(there, path)]).toEqual([200, 200]);
    await setRoles('EDITOR');
    expect(await statusOf(program, path)).toBe(403);
    await untilRefused(there, path, 403);
    expect(await statusOf(program)).toBe(200);
    await setRoles('AUTHOR');
    expect(await statusOf(program, path)).toBe(200);
  });

  it('should not work while its owner is disabled', async () => {
    const there = program.at(other.url);
    const enable = (enabled: boolean) =>
      admin.client.put(`/admin/users/id/${ada._id}/status`, { enabled });
    expect([await statusOf(program), await statusOf(there)]).toEqual([200, 200]);
    await enable(false);
    expect(await statusOf(program)).toBe(401);
    await untilRefused(there);
    await enable(true);
    expect(await statusOf(program)).toBe(200);
  });

  it('should survive the end of all sessions and a new password, and end with the account', async () => {
    const token = (program.headers['authorization'] ?? '').replace('Bearer ', '');
    await ada.client.delete('/auth/sessions');
    const newPassword = 'another horse battery';
    const changed = await ada.client.put('/auth/password', {
      currentPassword: PASSWORD,
      newPassword,
    });
    expect([changed.status, await statusOf(program)]).toEqual([200, 200]);
    const refused = await program.delete(MINE, { body: { password: newPassword } });
    expect(refused.body.reason).toBe('session_needed');
    await ada.client.delete(MINE, { body: { password: newPassword } });
    expect(await statusOf(program.as(token))).toBe(401);
    const user = new Types.ObjectId(ada._id);
    expect(await server.db.collection('access_tokens').countDocuments({ user })).toBe(0);
  });

  it('should be valid until the millisecond before its expiry', async () => {
    const { body } = await ada.client.get('/auth/tokens');
    const clock = holdClock(server.app, Date.parse(body.data[0].expiresAt as string) - 1);
    expect(await statusOf(program)).toBe(200);
    clock.advance(1);
    expect(await statusOf(program)).toBe(401);
    clock.release();
  });

  it('should store its last use, at most once a minute', async () => {
    const clock = holdClock(server.app, Date.now() + DAY);
    const lastUse = async (): Promise<number> => {
      const { body } = await ada.client.get('/auth/tokens');
      return Date.parse((body.data[0].lastUsedAt as string | undefined) ?? '');
    };
    const first = clock.now();
    await program.get(MINE);
    await until('the first use to be stored', async () => (await lastUse()) === first);
    clock.advance(59 * SECOND);
    await program.get(MINE);
    clock.advance(SECOND);
    await program.get(MINE);
    await until('the use a minute later to be stored', async () => (await lastUse()) !== first);
    expect(await lastUse()).toBe(first + 60 * SECOND);
    clock.release();
  });

  it('should open public reads with a key that has the scope desk', async () => {
    const { data } = (await admin.client.post('/admin/apikeys', { scopes: ['desk'] })).body;
    const desk = program.with({ 'x-api-key': data.key as string });
    expect(await statusOf(desk, '/tags')).toBe(200);
    await ada.client.delete(`/auth/tokens/id/${tokenId}`);
    expect(await statusOf(desk, '/tags')).toBe(403);
  });
});
