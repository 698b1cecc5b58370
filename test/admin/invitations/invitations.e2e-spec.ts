import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { account, PASSWORD, person, signIn, unique, type Person } from '../../support/factories.js';
import { mailTo, sendMails, tokenIn } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY, holdClock } from '../../support/time/clock.js';

const PATH = '/admin/invitations';
const ACCEPT = '/auth/invitation/accept';
const JOIN = '/auth/invitation/join';

interface Invitation {
  readonly _id: string;
  readonly state: string;
}

let smtp: SmtpServer;
let server: TestApp;
let admin: Person;
let guest: string;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startApp({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org' } });
});

beforeEach(async () => {
  smtp.mails.length = 0;
  admin = await person(server, 'ADMIN');
  guest = `${unique('guest')}@example.org`;
});

const invite = (body: object = {}) =>
  admin.client.post<Invitation>(PATH, { email: guest, roles: ['AUTHOR'], ...body });

const accept = (token: string, body: object = {}) =>
  server.client.post(ACCEPT, { token, name: 'Gina Guest', password: PASSWORD, ...body });

const tokenFor = async (email = guest) => tokenIn(await mailTo(server, smtp, email));

async function stateOf(id: string): Promise<string | undefined> {
  const { body } = await admin.client.get<Invitation[]>(PATH);
  return body.data.find(({ _id }) => _id === id)?.state;
}

describe(`POST ${PATH}`, () => {
  it('should lead from the mail to a signed-in account with the roles', async () => {
    const { body } = await invite();
    const token = await tokenFor();
    const accepted = await accept(token);
    const { user, tokens } = accepted.body.data as {
      user: { email: string; roles: { code: string }[] };
      tokens: { accessToken: string };
    };
    expect(user).toMatchObject({ email: guest, name: 'Gina Guest' });
    expect(user.roles.map(({ code }) => code)).toEqual(['LEARNER', 'AUTHOR']);
    const author = server.client.as(tokens.accessToken);
    expect((await author.get('/blog/author/drafts')).status).toBe(200);
    expect(await stateOf(body.data._id)).toBe('accepted');
    expect((await accept(token)).body.reason).toBe('link_invalid');
  });

  it('should make no link or markup of the name of the admin', async () => {
    const users = server.db.collection('users');
    const name = '<b>win</b> http://evil.example/x or mail me@evil.example www.evil.example';
    await users.updateOne({ email: admin.email }, { $set: { name } });
    server.invalidateCaches();
    await invite();
    const { parsed } = await mailTo(server, smtp, guest);
    const own = /http:\/\/localhost:\d+\/account#invitation=[\w-]{43}/g;
    const [plain = '', html = ''] = [parsed.text, parsed.html].map((text) =>
      text?.replace(own, ''),
    );
    for (const text of [plain, html]) {
      expect(text).toContain('win');
      const besidesLink = text.replaceAll(/https:\/\/press\.example\/account#[\w=-]+/g, '');
      expect(besidesLink).not.toMatch(/evil\.example|https?:\/\/|www\.\w|@evil/);
    }
    expect(html).not.toContain('<b>');
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(parsed.subject).not.toContain('win');
  });

  it('should refuse a second open invitation, and repeat one with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': unique('key') };
    const body = { email: guest, roles: ['EDITOR'] };
    const first = await admin.client.post<Invitation>(PATH, body, { headers });
    const again = await admin.client.post<Invitation>(PATH, body, { headers });
    expect(again.body.data._id).toBe(first.body.data._id);
    expect((await invite()).body.reason).toBe('already_invited');
    await sendMails(server);
    expect(smtp.mails).toHaveLength(1);
  });

  it('should end after seven days, and make room for a new one', async () => {
    const { body } = await invite();
    const token = await tokenFor();
    const clock = holdClock(server.app);
    clock.advance(7 * DAY);
    const late = await accept(token);
    clock.release();
    expect(late.body.reason).toBe('link_invalid');
    const past = { $set: { expiresAt: new Date(Date.now() - 1) } };
    await server.db.collection('invitations').updateOne({ email: guest }, past);
    expect(await stateOf(body.data._id)).toBe('expired');
    expect((await invite()).status).toBe(200);
  });
});

describe(`POST ${PATH}/id/{id}/resend`, () => {
  it('should send a new link, and end the former one', async () => {
    const { body } = await invite();
    const first = await tokenFor();
    expect((await admin.client.post(`${PATH}/id/${body.data._id}/resend`)).status).toBe(200);
    const second = await tokenFor();
    expect((await accept(first)).body.reason).toBe('link_invalid');
    expect((await accept(second)).status).toBe(200);
    const again = await admin.client.post(`${PATH}/id/${body.data._id}/resend`);
    expect(again.body.reason).toBe('invitation_not_found');
  });
});

describe('an invitation', () => {
  it('should end when it is withdrawn', async () => {
    const { body } = await invite();
    const token = await tokenFor();
    expect((await admin.client.delete(`${PATH}/id/${body.data._id}`)).status).toBe(200);
    expect((await accept(token)).body.reason).toBe('link_invalid');
  });

  it('should end when whoever sent it is no admin any more, or has deleted the account', async () => {
    await person(server, 'ADMIN');
    await invite();
    const token = await tokenFor();
    await server.db
      .collection('users')
      .updateOne({ email: admin.email }, { $set: { status: false } });
    expect((await accept(token)).body.reason).toBe('link_invalid');
    await server.db
      .collection('users')
      .updateOne({ email: admin.email }, { $set: { status: true } });
    server.invalidateCaches();
    const { status } = await admin.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect(status).toBe(200);
    expect((await accept(token)).body.reason).toBe('link_invalid');
    expect(await server.db.collection('invitations').countDocuments({ email: guest })).toBe(0);
  });

  it('should be accepted once of many requests at the same time', async () => {
    await invite();
    const token = await tokenFor();
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await server.db.collection('users').countDocuments({ email: guest })).toBe(1);
  });

  it('should need a name unless the admin has given one', async () => {
    await invite();
    const nameless = await accept(await tokenFor(), { name: undefined });
    expect(nameless.body.errors).toMatchObject([{ field: 'name' }]);
    const named = `${unique('named')}@example.org`;
    await invite({ email: named, name: 'Nora Named' });
    const { body } = await accept(await tokenFor(named), { name: undefined });
    expect(body.data).toMatchObject({ user: { name: 'Nora Named' } });
  });
});

describe(`POST ${JOIN}`, () => {
  it('should add the roles to the account that has the address, and to no other', async () => {
    const owner = await account(server, 'AUTHOR');
    await invite({ email: owner.email, roles: ['EDITOR'] });
    const token = await tokenFor(owner.email);
    expect((await accept(token)).body.reason).toBe('email_taken');
    const stranger = await person(server);
    expect((await stranger.client.post(JOIN, { token })).body.reason).toBe('foreign_invitation');
    const { client } = await signIn(server.client, owner.email);
    const joined = await client.post<{ roles: { code: string }[] }>(JOIN, { token });
    const codes = joined.body.data.roles.map(({ code }) => code);
    expect(codes).toEqual(['LEARNER', 'AUTHOR', 'EDITOR']);
    expect((await client.get('/blog/editor/submitted')).status).toBe(200);
    expect((await client.post(JOIN, { token })).body.reason).toBe('link_invalid');
  });
});

describe('SIGNUP', () => {
  it.each(['invited', 'off'])('should close the sign-up with %s', async (SIGNUP) => {
    const closed = await startApp({ env: { SIGNUP } });
    const boss = await person(closed, 'ADMIN');
    const body = { email: guest, password: PASSWORD, name: 'Gina' };
    const signUp = await closed.client.post('/auth/signup/basic', body);
    expect([signUp.status, signUp.body.reason]).toEqual([403, 'signup_closed']);
    const invited = await boss.client.post(PATH, { email: guest, roles: ['AUTHOR'] });
    expect(invited.status).toBe(SIGNUP === 'invited' ? 200 : 403);
    const created = await boss.client.post('/admin/users', { ...body, roles: ['AUTHOR'] });
    expect(created.status).toBe(200);
    await signIn(closed.client, guest);
  });
});
