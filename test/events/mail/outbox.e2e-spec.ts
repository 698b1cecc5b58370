import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { account, person, unique, type Person } from '../../support/factories.js';
import { mailTo, sendMails } from '../../support/mail/mails.js';
import { smtpError, startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY, holdClock, HOUR, MINUTE, SECOND, type HeldClock } from '../../support/time/clock.js';

const FORGOT = '/auth/password/forgot';

interface MailView {
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly error?: string;
  readonly user?: string;
}

let smtp: SmtpServer;
let server: TestApp;
let admin: Person;
let owner: Pick<Person, '_id' | 'email' | 'name'>;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startApp({
    env: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'The Desk <desk@example.org>',
      PUBLIC_URL: 'https://api.example',
      SITE_TITLE: 'The Example',
    },
  });
  admin = await person(server, 'ADMIN');
});

beforeEach(async () => {
  smtp.onRecipient = () => undefined;
  smtp.mails.length = 0;
  await server.db.collection('mails').deleteMany({});
  owner = await account(server);
});

const forget = (email = owner.email) => server.client.post(FORGOT, { email });

const stored = () => server.db.collection('mails').findOne();

async function listed(query = ''): Promise<MailView[]> {
  return (await admin.client.get<MailView[]>(`/admin/mail${query}`)).body.data;
}

describe('a mail', () => {
  it('should have a sender, a stable id, and the same link in plain text and in HTML', async () => {
    await forget();
    const { from, parsed, raw } = await mailTo(server, smtp, owner.email);
    expect(from).toBe('desk@example.org');
    expect(parsed.from).toMatchObject({ name: 'The Desk', address: 'desk@example.org' });
    expect(parsed.subject).toBe('Set a new password for The Example');
    const [link] = /https:\/\/api\.example\/account#passwordReset=[\w-]{43}/.exec(
      parsed.text ?? '',
    ) ?? [''];
    expect(link).not.toBe('');
    expect(parsed.html).toContain(`<a href="${link}">${link}</a>`);
    const [mail] = await server.db.collection('mails').find().toArray();
    expect(parsed.messageId).toBe(`<${String(mail?._id)}@example.org>`);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  it('should lie sealed in the outbox, and be erased once it was sent', async () => {
    await forget();
    const mails = server.db.collection('mails');
    const waiting = JSON.stringify(await mails.find().toArray());
    expect(waiting).not.toContain(owner.email);
    expect(waiting).toContain('"contents"');
    await sendMails(server);
    const [sent] = await mails.find().toArray();
    expect(sent).toMatchObject({ state: 'sent', attempts: 1 });
    expect(sent).not.toHaveProperty('contents');
    expect(sent).not.toHaveProperty('nextAt');
  });

  it('should be in no log, whether it is sent or refused', async () => {
    await forget();
    smtp.onRecipient = () => Promise.reject(smtpError(550, `<${owner.email}> unknown`));
    await sendMails(server);
    const log = server.log.join('');
    expect(log).toContain('is given up: EENVELOPE 550');
    expect(log).not.toContain(owner.email);
    expect(log).not.toContain('#passwordReset');
  });
});

describe('an SMTP server', () => {
  let clock: HeldClock;

  beforeEach(() => {
    clock = holdClock(server.app);
  });

  afterEach(() => clock.release());

  it('should get a mail again after growing pauses while it is not ready', async () => {
    smtp.onRecipient = () => Promise.reject(smtpError(451, 'greylisted'));
    await forget();
    const pauses: number[] = [];
    for (const pause of [10 * SECOND, MINUTE, 5 * MINUTE]) {
      await sendMails(server);
      clock.advance(pause - 1);
      await sendMails(server);
      clock.advance(1);
      pauses.push((await listed())[0]?.attempts ?? 0);
    }
    expect(pauses).toEqual([1, 2, 3]);
    expect((await listed())[0]).toMatchObject({ state: 'waiting', error: 'EENVELOPE 451' });
    smtp.onRecipient = () => undefined;
    await sendMails(server);
    expect(smtp.mails).toHaveLength(1);
    const [sent] = await listed();
    expect(sent).toMatchObject({ state: 'sent', attempts: 4 });
    expect(sent).not.toHaveProperty('error');
  });

  it('should not get a mail again that it has refused for good', async () => {
    smtp.onRecipient = () => Promise.reject(smtpError(550));
    await forget();
    await sendMails(server);
    expect((await listed())[0]).toMatchObject({
      state: 'given up',
      attempts: 1,
      error: 'EENVELOPE 550',
    });
    clock.advance(30 * MINUTE);
    smtp.onRecipient = () => undefined;
    await sendMails(server);
    expect(smtp.mails).toEqual([]);
  });

  it('should not get a mail whose link has expired meanwhile', async () => {
    smtp.onRecipient = () => Promise.reject(smtpError(421));
    await forget();
    await sendMails(server);
    clock.advance(HOUR);
    await sendMails(server);
    expect(await stored()).toMatchObject({ state: 'expired' });
  });

  it('should be asked for two days, and then no more', async () => {
    const email = `${unique('guest')}@example.org`;
    await admin.client.post('/admin/invitations', { email, roles: ['AUTHOR'] });
    smtp.onRecipient = () => Promise.reject(smtpError(450));
    const ended = clock.now() + 2 * DAY;
    while (clock.now() <= ended + HOUR && (await stored())?.['state'] === 'waiting') {
      await sendMails(server);
      clock.advance(HOUR);
    }
    const givenUp = { kind: 'invitation', state: 'given up', error: 'EENVELOPE 450' };
    expect(await stored()).toMatchObject(givenUp);
    expect(clock.now()).toBeGreaterThan(ended - 6 * HOUR);
    expect(server.log.join('')).toContain('(invitation) is given up: EENVELOPE 450');
  });
});

describe('GET /admin/mail', () => {
  it('should say what became of each mail, and never to whom or with which link', async () => {
    await forget();
    await sendMails(server);
    const other = await account(server);
    await forget(other.email);
    const { text } = await admin.client.get('/admin/mail');
    expect(text).not.toContain(owner.email);
    expect(text).not.toContain(other.email);
    expect(text).not.toContain('account#');
    expect(await listed()).toMatchObject([
      { kind: 'passwordReset', state: 'waiting', attempts: 0 },
      { kind: 'passwordReset', state: 'sent', attempts: 1 },
    ]);
    expect(await listed('?state=waiting')).toHaveLength(1);
    expect(await listed('?state=waiting&page=2')).toEqual([]);
  });
});
