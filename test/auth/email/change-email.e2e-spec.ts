import { Types } from 'mongoose';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PASSWORD, person, signIn, unique, type Person } from '../../support/factories.js';
import { mailTo, tokenIn } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { addPasskey, Authenticator, signInByPasskey } from '../factors/authenticator.js';
import { enrolApp } from '../factors/totp.js';
import { DAY, holdClock, HOUR, SECOND } from '../../support/time/clock.js';

const PATH = '/auth/email';

let smtp: SmtpServer;
let server: TestApp;
let owner: Person;
let newEmail: string;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startApp({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org' } });
});

beforeEach(async () => {
  smtp.mails.length = 0;
  owner = await person(server);
  newEmail = `${unique('new')}@example.org`;
});

const ask = (email = newEmail, password = PASSWORD) => owner.client.put(PATH, { email, password });

const use = (action: 'confirm' | 'undo' | 'verify', token: string) =>
  server.client.post(`${PATH}/${action}`, { token });

const signUp = (email: string) =>
  server.client.post('/auth/signup/basic', { email, password: PASSWORD, name: 'Somebody' });

/** Changes the address, and returns the token that takes the change back. */
async function change(): Promise<string> {
  await ask();
  expect((await use('confirm', tokenIn(await mailTo(server, smtp, newEmail)))).status).toBe(200);
  return tokenIn(await mailTo(server, smtp, owner.email));
}

describe(`PUT ${PATH}`, () => {
  it('should change the address once the new one confirms it, and tell the old one', async () => {
    await ask();
    const signedIn = await signIn(server.client, owner.email);
    const token = tokenIn(await mailTo(server, smtp, newEmail));
    expect((await use('confirm', token)).status).toBe(200);
    await expect(signIn(server.client, owner.email)).rejects.toThrow('invalid email');
    await signIn(server.client, newEmail);
    const { body } = await signedIn.client.get<{ email: string }>('/profile/mine');
    expect(body.data.email).toBe(newEmail);
    const told = await mailTo(server, smtp, owner.email);
    expect(told.parsed.subject).toContain('was changed');
    expect((await use('confirm', token)).body.reason).toBe('link_invalid');
  });

  it('should need the password, and an address that nobody else has', async () => {
    expect((await ask(newEmail, 'another password')).body.reason).toBe('wrong_password');
    const missing = await owner.client.put(PATH, { email: newEmail });
    expect(missing.body.errors).toMatchObject([{ field: 'password' }]);
    const other = await person(server);
    expect((await ask(other.email)).body.reason).toBe('email_taken');
    await ask();
    const token = tokenIn(await mailTo(server, smtp, newEmail));
    expect((await signUp(newEmail)).status).toBe(200);
    expect((await use('confirm', token)).body.reason).toBe('email_taken');
  });

  it('should count the newest request only, and for a day', async () => {
    await ask();
    const first = tokenIn(await mailTo(server, smtp, newEmail));
    const other = `${unique('other')}@example.org`;
    await ask(other);
    expect((await use('confirm', first)).body.reason).toBe('link_invalid');
    const second = tokenIn(await mailTo(server, smtp, other));
    const clock = holdClock(server.app);
    clock.advance(DAY);
    const late = await use('confirm', second);
    clock.release();
    expect(late.body.reason).toBe('link_invalid');
  });

  it('should be out of reach after a new password, and for a disabled account', async () => {
    const users = server.db.collection('users');
    const body = { currentPassword: PASSWORD, newPassword: 'a new password of theirs' };
    for (const act of [
      () => owner.client.put('/auth/password', body),
      () => users.updateOne({ email: owner.email }, { $set: { status: false } }),
    ]) {
      owner = await person(server);
      newEmail = `${unique('new')}@example.org`;
      await ask();
      const token = tokenIn(await mailTo(server, smtp, newEmail));
      await act();
      expect((await use('confirm', token)).body.reason).toBe('link_invalid');
    }
  });

  it('should end the links that the former address got', async () => {
    await server.client.post('/auth/password/forgot', { email: owner.email });
    const reset = tokenIn(await mailTo(server, smtp, owner.email));
    await change();
    const { body } = await server.client.post('/auth/password/reset', {
      token: reset,
      password: 'a new password of theirs',
    });
    expect(body.reason).toBe('link_invalid');
  });
});

describe(`POST ${PATH}/undo`, () => {
  it('should give the address back, end all sessions, and make the owner set a new password', async () => {
    const token = await change();
    const intruder = await signIn(server.client, newEmail);
    expect((await use('undo', token)).status).toBe(200);
    expect((await intruder.client.get('/profile/mine')).body.reason).toBe('session_ended');
    for (const email of [newEmail, owner.email]) {
      await expect(signIn(server.client, email)).rejects.toThrow('invalid email');
    }
    const reset = tokenIn(await mailTo(server, smtp, owner.email));
    const password = 'a new password of theirs';
    await server.client.post('/auth/password/reset', { token: reset, password });
    await signIn(server.client, owner.email, password);
    expect((await use('undo', token)).body.reason).toBe('link_invalid');
  });

  it('should remove the factors, recovery codes and tokens that were added since a week before the change', async () => {
    const newToken = async () =>
      (await owner.client.post<{ token: string }>('/auth/tokens', { name: 'mine', roles: [] })).body
        .data.token;
    const kept = [await newToken()];
    const owned = await enrolApp(owner);
    const user = new Types.ObjectId(owner._id);
    const weekAgo = { $set: { createdAt: new Date(Date.now() - 7 * DAY - HOUR) } };
    for (const name of ['access_tokens', 'factors']) {
      await server.db.collection(name).updateMany({ user }, weekAgo);
    }
    const prepared = await newToken();
    const token = await change();
    const stolen = await newToken();
    const passkey = new Authenticator();
    await addPasskey(owner, passkey);
    const renewed = await owner.client.post<{ recoveryCodes: string[] }>('/auth/factors/recovery', {
      password: PASSWORD,
    });
    expect((await use('undo', token)).status).toBe(200);
    const password = 'a new password of theirs';
    const reset = tokenIn(await mailTo(server, smtp, owner.email));
    await server.client.post('/auth/password/reset', { token: reset, password });
    const enter = (code?: string) =>
      server.client.post('/auth/signin/basic', { email: owner.email, password, code });
    expect((await signInByPasskey(server.client, passkey)).status).toBe(401);
    expect((await enter(renewed.body.data.recoveryCodes[0])).body.reason).toBe('wrong_code');
    expect((await enter(owned.code(Date.now() + 30 * SECOND))).status).toBe(200);
    for (const each of [...kept, prepared, stolen]) {
      const { status } = await server.client.as(each).get('/profile/mine');
      expect(status).toBe(kept.includes(each) ? 200 : 401);
    }
  });

  it('should leave the owner the link of an earlier change, and the address that it restores', async () => {
    const first = await change();
    const intruder = await signIn(server.client, newEmail);
    const third = `${unique('third')}@example.org`;
    await intruder.client.put(PATH, { email: third, password: PASSWORD });
    await use('confirm', tokenIn(await mailTo(server, smtp, third)));
    expect((await use('undo', tokenIn(await mailTo(server, smtp, newEmail)))).status).toBe(200);
    expect((await signUp(owner.email)).body.reason).toBe('email_taken');
    expect((await signUp(third)).status).toBe(200);
    expect((await use('undo', first)).status).toBe(200);
    const stored = await server.db.collection('users').findOne({ email: owner.email });
    expect(stored?._id.toHexString()).toBe(owner._id);
  });

  it('should work after a second change as well', async () => {
    const token = await change();
    const third = `${unique('third')}@example.org`;
    const intruder = await signIn(server.client, newEmail);
    await intruder.client.put(PATH, { email: third, password: PASSWORD });
    await use('confirm', tokenIn(await mailTo(server, smtp, third)));
    expect((await use('undo', token)).status).toBe(200);
    const stored = await server.db.collection('users').findOne({ email: owner.email });
    expect(stored?._id.toHexString()).toBe(owner._id);
    const second = tokenIn(await mailTo(server, smtp, newEmail));
    expect((await use('undo', second)).body.reason).toBe('link_invalid');
  });

  it('should keep the former address for its owner for seven days', async () => {
    const token = await change();
    expect((await signUp(owner.email)).body.reason).toBe('email_taken');
    const other = await person(server);
    const taking = await other.client.put(PATH, { email: owner.email, password: PASSWORD });
    expect(taking.body.reason).toBe('email_taken');
    const clock = holdClock(server.app);
    clock.advance(7 * DAY);
    const late = await use('undo', token);
    const after = await signUp(owner.email);
    clock.release();
    expect(late.body.reason).toBe('link_invalid');
    expect(after.status).toBe(200);
  });
});
