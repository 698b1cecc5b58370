import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { TotpService } from '../../../src/auth/factors/totp.service.js';
import { PASSWORD, person, type Person } from '../../support/factories.js';
import { openSession } from '../../support/sessions.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { holdClock, MINUTE, SECOND, stopDate, type HeldClock } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { enrolApp } from './totp.js';

const SIGN_IN = '/auth/signin/basic';
const FACTORS = '/auth/factors';

interface Factors {
  readonly factors: readonly { readonly _id: string; readonly name: string }[];
  readonly recoveryCodesLeft: number;
}

let server: TestApp;
let owner: Person;
let clock: HeldClock;

beforeAll(async () => {
  server = await startApp({ env: { SITE_TITLE: 'The Example' } });
});

beforeEach(async () => {
  owner = await person(server);
  clock = holdClock(server.app);
});

afterEach(() => clock.release());

const signIn = (code?: string, password = PASSWORD) =>
  server.client.post(SIGN_IN, { email: owner.email, password, code });

const factors = async (): Promise<Factors> => (await owner.client.get<Factors>(FACTORS)).body.data;

describe('an app for codes', () => {
  it('should be asked for at a sign-in, after the password', async () => {
    const app = await enrolApp(owner);
    expect(app.uri).toMatch(/^otpauth:\/\/totp\/The%20Example:/);
    expect((await signIn()).body.reason).toBe('second_factor_required');
    expect((await signIn(undefined, 'a wrong one')).body.reason).toBe('invalid_credentials');
    expect((await signIn('000000', 'a wrong one')).body.reason).toBe('invalid_credentials');
    expect((await signIn('000000')).body.reason).toBe('wrong_code');
    clock.advance(MINUTE);
    expect((await signIn(app.code(clock.now()))).status).toBe(200);
  });

  it('should take each code once, and those of 30 seconds before and after', async () => {
    const app = await enrolApp(owner);
    // The code of the enrolment was used.
    expect((await signIn(app.code(clock.now()))).body.reason).toBe('wrong_code');
    clock.advance(5 * MINUTE);
    const code = app.code(clock.now());
    const answers = await Promise.all([signIn(code), signIn(code), signIn(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    clock.advance(2 * MINUTE);
    expect((await signIn(app.code(clock.now() - 30 * SECOND))).status).toBe(200);
    expect((await signIn(app.code(clock.now() + 30 * SECOND))).status).toBe(200);
    // A code of an earlier time step than the last one that was used is spent.
    expect((await signIn(app.code(clock.now()))).body.reason).toBe('wrong_code');
    expect((await signIn(app.code(clock.now() + 2 * MINUTE))).body.reason).toBe('wrong_code');
  });

  it('should not count before its first code', async () => {
    await owner.client.post(`${FACTORS}/totp`, { name: 'Mine', password: PASSWORD });
    expect((await signIn()).status).toBe(200);
    const wrong = await owner.client.post(`${FACTORS}/totp/confirm`, { code: '000000' });
    expect(wrong.body.reason).toBe('wrong_code');
    expect((await factors()).factors).toEqual([]);
  });

  it('should not be confirmed by a session that ends meanwhile', async () => {
    const totp = server.app.get(TotpService);
    const confirm = totp.confirm.bind(totp);
    const spy = jest.spyOn(totp, 'confirm').mockImplementation(async (...given) => {
      await server.db.collection('sessions').deleteMany({ user: new Types.ObjectId(owner._id) });
      return confirm(...given);
    });
    await expect(enrolApp(owner)).rejects.toThrow('the session has ended');
    spy.mockRestore();
    expect((await signIn()).status).toBe(200);
  });

  it('should need the password to be added, replaced and removed', async () => {
    const begin = (password?: string) =>
      owner.client.post(`${FACTORS}/totp`, { name: 'Mine', password });
    expect((await begin('a wrong one')).body.reason).toBe('wrong_password');
    expect((await begin()).body.errors).toMatchObject([{ field: 'password' }]);
    const app = await enrolApp(owner);
    clock.advance(MINUTE);
    const { factors: before } = await factors();
    const path = `${FACTORS}/id/${before[0]?._id}`;
    expect((await owner.client.delete(path, { body: {} })).status).toBe(422);
    const stranger = await person(server);
    const foreign = await stranger.client.delete(path, { body: { password: PASSWORD } });
    expect(foreign.body.reason).toBe('factor_not_found');
    expect((await owner.client.put(path, { name: 'Old phone' })).status).toBe(200);
    expect((await factors()).factors).toMatchObject([{ name: 'Old phone' }]);
    expect((await owner.client.delete(path, { body: { password: PASSWORD } })).status).toBe(200);
    expect(await factors()).toMatchObject({ factors: [], recoveryCodesLeft: 0 });
    expect((await signIn(app.code(clock.now()))).status).toBe(200);
  });

  it('should have a secret that lies sealed in the database, and in no log', async () => {
    const { uri } = await enrolApp(owner);
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    expect(secret).toHaveLength(32);
    const stored = JSON.stringify(await server.db.collection('factors').find().toArray());
    expect(stored).not.toContain(secret);
    expect(server.log.join('')).not.toContain(secret);
  });
});

describe('recovery codes', () => {
  it('should sign in once each, in any case and with blanks', async () => {
    const { recoveryCodes } = await enrolApp(owner);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    expect(first).toMatch(/^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){5}$/);
    expect((await signIn(first)).status).toBe(200);
    expect((await signIn(first)).body.reason).toBe('wrong_code');
    expect((await signIn(` ${second.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200);
    expect((await factors()).recoveryCodesLeft).toBe(8);
    const stored = JSON.stringify(await server.db.collection('factors').find().toArray());
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
  });

  it('should be made anew with the password, which ends the former ones', async () => {
    const { recoveryCodes } = await enrolApp(owner);
    const renewed = await owner.client.post<{ recoveryCodes: string[] }>(`${FACTORS}/recovery`, {
      password: PASSWORD,
    });
    expect((await signIn(recoveryCodes[0])).body.reason).toBe('wrong_code');
    expect((await signIn(renewed.body.data.recoveryCodes[0])).status).toBe(200);
    const stranger = await person(server);
    const none = await stranger.client.post(`${FACTORS}/recovery`, { password: PASSWORD });
    expect(none.body.reason).toBe('factor_not_found');
  });
});

describe('a wrong code', () => {
  it('should count as a failed sign-in, and a missing one not', async () => {
    const limited = await startApp({
      env: { RATE_LIMITS: 'on', GUESSES_PER_ACCOUNT: '3/1h', GUESS_DELAY_MAX: '1h' },
    });
    owner = await person(limited);
    await enrolApp(owner);
    const ask = (code?: string) =>
      limited.client.post(SIGN_IN, { email: owner.email, password: PASSWORD, code });
    for (let count = 0; count < 5; count++) expect((await ask()).status).toBe(401);
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await ask('000000')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('should count over all networks, and be in the audit log', async () => {
    const limited = await startApp({
      env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', GUESSES_PER_ACCOUNT: '3/1h' },
    });
    owner = await person(limited);
    const app = await enrolApp(owner);
    const release = stopDate();
    const ask = async (network: number, code: string): Promise<number> => {
      const headers = { 'x-forwarded-for': `198.51.${network}.1` };
      const body = { email: owner.email, password: PASSWORD, code };
      return (await limited.client.post(SIGN_IN, body, { headers })).status;
    };
    const statuses = [];
    for (let network = 0; network < 5; network++) statuses.push(await ask(network, '000000'));
    statuses.push(await ask(9, app.recoveryCodes[0] ?? ''));
    release();
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    const subject = new Types.ObjectId(owner._id);
    const audit = limited.db.collection('audit');
    // No request waits for the write.
    await until('the record of refused sign-ins', () =>
      audit.findOne({ kind: 'signin.refused', subject }),
    );
  });
});

describe('a session that has not proved the factor of its account', () => {
  it('should change neither factors, address nor password, and not delete the account', async () => {
    const { client } = await openSession(server, owner);
    await enrolApp(owner);
    const { factors: stored } = await factors();
    const password = PASSWORD;
    const path = `${FACTORS}/id/${stored[0]?._id}`;
    const answers = [
      await client.post(`${FACTORS}/totp`, { name: 'theirs', password }),
      await client.post(`${FACTORS}/passkeys/options`, { password }),
      await client.post(`${FACTORS}/recovery`, { password }),
      await client.request('DELETE', path, { body: { password } }),
      await client.put('/auth/email', { email: 'theirs@example.org', password }),
      await client.put('/auth/password', {
        currentPassword: password,
        newPassword: 'a new password of theirs',
      }),
      await client.request('DELETE', '/profile/mine', { body: { password } }),
    ];
    expect(new Set(answers.map(({ body }) => body.reason))).toEqual(new Set(['factor_needed']));
    expect((await owner.client.request('DELETE', path, { body: { password } })).status).toBe(200);
  });
});

describe('REQUIRE_2FA', () => {
  it('should leave only enrolment, the own profile and sign-out to sessions without a factor', async () => {
    const strict = await startApp({ env: { REQUIRE_2FA: 'ADMIN,EDITOR' } });
    const admin = await person(strict, 'ADMIN');
    const author = await person(strict, 'AUTHOR');
    expect((await author.client.get('/blog/author/drafts')).status).toBe(200);
    for (const path of ['/admin/users', '/auth/sessions', '/auth/tokens']) {
      const { status, body } = await admin.client.get(path);
      expect([path, status, body.reason]).toEqual([path, 403, 'factor_needed']);
    }
    for (const path of ['/profile/mine', FACTORS]) {
      expect((await admin.client.get(path)).status).toBe(200);
    }
    await enrolApp(admin);
    expect((await admin.client.get('/admin/users')).status).toBe(200);
    const token = await admin.client.post<{ token: string }>('/auth/tokens', {
      name: 'nightly',
      roles: ['ADMIN'],
    });
    const program = strict.client.as(token.body.data.token);
    expect((await program.get('/admin/users')).status).toBe(200);
  });

  it('should hold for sessions that exist when somebody gets the role', async () => {
    const strict = await startApp({ env: { REQUIRE_2FA: 'EDITOR' } });
    const admin = await person(strict, 'ADMIN');
    const someone = await person(strict, 'AUTHOR');
    const token = await someone.client.post<{ token: string }>('/auth/tokens', {
      name: 'nightly',
      roles: ['AUTHOR'],
    });
    const roles = { roles: ['AUTHOR', 'EDITOR'] };
    await admin.client.put(`/admin/users/id/${someone._id}/roles`, roles);
    const { body } = await someone.client.get('/blog/author/drafts');
    expect(body.reason).toBe('factor_needed');
    // The token grants AUTHOR only, so it is not one of an EDITOR.
    const program = strict.client.as(token.body.data.token);
    expect((await program.get('/blog/author/drafts')).status).toBe(200);
    expect((await someone.client.delete('/auth/signout')).status).toBe(200);
  });
});
