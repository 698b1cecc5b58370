import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { account, PASSWORD, person, unique } from '../../support/factories.js';
import { mailTo, tokenIn } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY, holdClock, MINUTE, SECOND } from '../../support/time/clock.js';
import { enrolApp } from '../factors/totp.js';
import { exchange, RETURN_URL, settings } from './browser.js';
import { returnFrom, signInBy, startProvider, type TestProvider } from './provider.js';

let smtp: SmtpServer;
let provider: TestProvider;
let server: TestApp;
let subject: string;
let email: string;

beforeAll(async () => {
  smtp = await startSmtp();
  provider = await startProvider();
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org' };
  server = await startApp({ env: { ...settings(provider.issuer), ...mail } });
  // The last ADMIN could not be deleted, so somebody else is one.
  await account(server, 'ADMIN');
});

beforeEach(() => {
  subject = unique('subject');
  email = `${subject}@example.org`;
  provider.people.set(subject, { email, email_verified: true, name: '  Ada\tLovelace ' });
});

const links = () => server.db.collection('provider_links');
const users = () => server.db.collection('users');
const statusesOf = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).sort();

describe('somebody without an account', () => {
  it('should get one at the first sign-in, and enter it at the second', async () => {
    const returned = await returnFrom(server, provider, subject);
    expect(returned).toEqual({
      to: RETURN_URL,
      oidcCode: expect.stringMatching(/^[\w-]{43}$/),
      verifier: returned.verifier,
    });
    const { status, body } = await exchange(server, returned.oidcCode ?? '', returned.verifier);
    expect([status, body.data.user]).toMatchObject([200, { email, name: 'Ada Lovelace' }]);
    expect(body.data.user.roles.map(({ code }) => code)).toEqual(['LEARNER']);
    const client = server.client.as(body.data.tokens.accessToken);
    expect((await client.get('/profile/mine')).status).toBe(200);
    const stored = await users().findOne({ email });
    expect(stored).not.toHaveProperty('password');
    expect(stored).not.toHaveProperty('isUnverified');

    // The provider's name for the person counts, not the address.
    provider.people.set(subject, { email: `new-${email}`, email_verified: false });
    const second = await signInBy(server, provider, subject);
    expect(second.body.data.user).toMatchObject({ _id: body.data.user._id, email });
    const user = new Types.ObjectId(body.data.user._id);
    const sessions = await server.db.collection('sessions').find({ user }).toArray();
    expect(sessions.map(({ factor }) => factor as string)).toEqual(['provider', 'provider']);
    const link = await links().findOne({ user });
    expect(link).toMatchObject({ issuer: provider.issuer, subject });
    expect((link?.['lastUsedAt'] as Date) > (link?.['createdAt'] as Date)).toBe(true);
    // Being present, they may set a first password.
    const first = await client.put('/auth/password', { newPassword: 'a first password' });
    expect(first.status).toBe(200);
  });

  it('should get one account from sign-ins at the same time', async () => {
    const returned = await Promise.all([1, 2, 3].map(() => returnFrom(server, provider, subject)));
    const answers = await Promise.all(
      returned.map(({ oidcCode = '', verifier }) => exchange(server, oidcCode, verifier)),
    );
    expect(statusesOf(answers)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.data.user._id)).size).toBe(1);
    expect(await users().countDocuments({ email })).toBe(1);
    expect(await links().countDocuments({ subject })).toBe(1);
  });

  it.each([
    ['the first name that an account may have', { name: 'Former user', preferred_username: 'ada' }],
    ['the part before the @', { name: 7, preferred_username: '\u200b' }],
  ])('should be called by %s', async (_rule, names) => {
    provider.people.set(subject, { email, email_verified: true, ...names });
    const { body } = await signInBy(server, provider, subject);
    expect(body.data.user.name).toBe(names.preferred_username === 'ada' ? 'ada' : subject);
  });

  it('should be refused if the provider has not verified the address', async () => {
    for (const verified of [false, undefined, 'true']) {
      provider.people.set(subject, { email, email_verified: verified });
      const { to, oidcError } = await returnFrom(server, provider, subject);
      expect([to, oidcError]).toEqual([RETURN_URL, 'oidc_email_unverified']);
    }
    expect(await users().countDocuments({ email })).toBe(0);
  });

  it('should be refused with another SIGNUP than open, also between the two steps', async () => {
    const { oidcCode = '', verifier } = await returnFrom(server, provider, subject);
    for (const SIGNUP of ['invited', 'off']) {
      const env = { ...settings(provider.issuer), SIGNUP };
      const closed = await startApp({ uri: server.uri, env });
      const { oidcError } = await returnFrom(closed, provider, subject);
      expect(oidcError).toBe('signup_closed');
      expect((await exchange(closed, oidcCode, verifier)).body.reason).toBe('signup_closed');
    }
  });
});

describe('somebody whose address an account has', () => {
  beforeEach(async () => {
    ({ email } = await account(server));
    provider.people.set(subject, { email: email.toUpperCase(), email_verified: true });
  });

  it('should confirm once by the password, which uses the code up only then', async () => {
    const { oidcCode = '', verifier } = await returnFrom(server, provider, subject);
    const enter = (password?: string) =>
      exchange(server, oidcCode, verifier, password === undefined ? {} : { password });
    expect((await enter()).body.reason).toBe('password_needed');
    expect((await enter('a wrong one')).body.reason).toBe('invalid_credentials');
    expect(await links().countDocuments({ subject })).toBe(0);
    const answers = await Promise.all([enter(PASSWORD), enter(PASSWORD)]);
    expect(statusesOf(answers)).toEqual([200, 401]);
    expect(answers.map(({ body }) => body.data?.user.email)).toContain(email);
    const told = await mailTo(server, smtp, email);
    expect(told.parsed.subject).toContain('was linked to single sign-on');
    expect((await signInBy(server, provider, subject)).status).toBe(200);
  });

  it('should have five minutes for it', async () => {
    const clock = holdClock(server.app);
    try {
      const [one, other] = await Promise.all(
        [1, 2].map(() => returnFrom(server, provider, subject)),
      );
      clock.advance(5 * MINUTE - SECOND);
      const enter = ({ oidcCode = '', verifier = '' } = {}) =>
        exchange(server, oidcCode, verifier, { password: PASSWORD });
      expect((await enter(one)).status).toBe(200);
      clock.advance(SECOND);
      expect((await enter(other)).body.reason).toBe('oidc_code_invalid');
    } finally {
      clock.release();
    }
  });

  it('should confirm by the second factor as well, which then is that of the session', async () => {
    const owner = await person(server);
    const { recoveryCodes } = await enrolApp(owner);
    provider.people.set(subject, { email: owner.email, email_verified: true });
    const { oidcCode = '', verifier } = await returnFrom(server, provider, subject);
    const enter = (secondFactor?: string) =>
      exchange(server, oidcCode, verifier, {
        password: PASSWORD,
        ...(secondFactor === undefined ? {} : { secondFactor }),
      });
    expect((await enter()).body.reason).toBe('second_factor_required');
    expect((await enter('000000')).body.reason).toBe('wrong_code');
    expect((await enter(recoveryCodes[0])).status).toBe(200);
    const user = new Types.ObjectId(owner._id);
    expect(
      await server.db.collection('sessions').countDocuments({ user, factor: 'recovery' }),
    ).toBe(1);
  });

  it('should be locked out after wrong passwords, as at a sign-in by password', async () => {
    const limits = { RATE_LIMITS: 'on', GUESSES_PER_ACCOUNT: '2/1h', GUESS_DELAY_MAX: '1h' };
    const env = { ...settings(provider.issuer), ...limits };
    const limited = await startApp({ uri: server.uri, env });
    const { oidcCode = '', verifier } = await returnFrom(limited, provider, subject);
    const statuses = [];
    for (const password of ['one', 'two', PASSWORD]) {
      statuses.push((await exchange(limited, oidcCode, verifier, { password })).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe('an account with a link', () => {
  it('should be refused while it is disabled', async () => {
    const { body } = await signInBy(server, provider, subject);
    const late = await returnFrom(server, provider, subject);
    const _id = new Types.ObjectId(body.data.user._id);
    await users().updateOne({ _id }, { $set: { status: false } });
    const { oidcError } = await returnFrom(server, provider, subject);
    expect(oidcError).toBe('account_disabled');
    const answer = await exchange(server, late.oidcCode ?? '', late.verifier);
    expect(answer.body.reason).toBe('account_disabled');
  });

  it('should lose the link with its deletion', async () => {
    const { body } = await signInBy(server, provider, subject);
    const client = server.client.as(body.data.tokens.accessToken);
    expect((await client.delete('/profile/mine', { body: {} })).status).toBe(200);
    expect(await links().countDocuments({ subject })).toBe(0);
  });

  it('should lose links that were added since a week before a change of the address that is taken back', async () => {
    const owner = await person(server);
    const earlier = unique('subject');
    const user = new Types.ObjectId(owner._id);
    const at = new Date(Date.now() - 8 * DAY);
    const link = { user, issuer: provider.issuer, createdAt: at, lastUsedAt: at };
    await links().insertOne({ ...link, subject: earlier });
    const address = `new-${owner.email}`;
    await owner.client.put('/auth/email', { email: address, password: PASSWORD });
    const tokenOf = async (to: string) => tokenIn(await mailTo(server, smtp, to));
    await server.client.post('/auth/email/confirm', { token: await tokenOf(address) });
    provider.people.set(subject, { email: address, email_verified: true });
    const { oidcCode = '', verifier } = await returnFrom(server, provider, subject);
    const linked = await exchange(server, oidcCode, verifier, { password: PASSWORD });
    expect(linked.status).toBe(200);
    await server.client.post('/auth/email/undo', { token: await tokenOf(owner.email) });
    const left = await links().find({ user }).toArray();
    expect(left.map((record) => record['subject'] as string)).toEqual([earlier]);
  });
});
