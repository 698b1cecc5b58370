import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { account, PASSWORD, person, signIn, type Person } from '../../support/factories.js';
import { mailTo, sendMails, tokenIn } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { holdClock, HOUR, MINUTE, SECOND } from '../../support/time/clock.js';

const FORGOT = '/auth/password/forgot';
const RESET = '/auth/password/reset';
const NEW_PASSWORD = 'a new password of theirs';

let smtp: SmtpServer;
let server: TestApp;
let owner: Pick<Person, '_id' | 'email'>;

beforeAll(async () => {
  smtp = await startSmtp();
  server = await startApp({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org' } });
});

beforeEach(async () => {
  smtp.mails.length = 0;
  owner = await account(server);
});

const forget = (email = owner.email) => server.client.post(FORGOT, { email });

async function newToken(): Promise<string> {
  await forget();
  return tokenIn(await mailTo(server, smtp, owner.email));
}

const reset = (token: string, password = NEW_PASSWORD) =>
  server.client.post(RESET, { token, password });

describe(`POST ${FORGOT}`, () => {
  it('should give the same answer whoever it is, and send a mail to accounts only', async () => {
    const disabled = await account(server);
    const users = server.db.collection('users');
    await users.updateOne({ email: disabled.email }, { $set: { status: false } });
    const answers = [];
    for (const email of [owner.email, 'nobody@example.org', disabled.email]) {
      answers.push((await forget(email)).text);
    }
    expect(new Set(answers).size).toBe(1);
    await sendMails(server);
    expect(smtp.mails.map(({ to }) => to)).toEqual([[owner.email]]);
    // What was dropped leaves nothing behind.
    const mails = await server.db.collection('mails').find({ state: 'waiting' }).toArray();
    expect(mails).toEqual([]);
  });

  it('should send an account one mail in five minutes', async () => {
    const clock = holdClock(server.app);
    try {
      await Promise.all([forget(), forget(), forget(` ${owner.email.toUpperCase()} `)]);
      await sendMails(server);
      expect(smtp.mails).toHaveLength(1);
      clock.advance(5 * MINUTE - SECOND);
      await forget();
      await sendMails(server);
      expect(smtp.mails).toHaveLength(1);
      clock.advance(SECOND);
      await forget();
      await sendMails(server);
      expect(smtp.mails).toHaveLength(2);
    } finally {
      clock.release();
    }
  });

  it('should be limited by the network of the client', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on', LIMIT_MAIL: '2/1h' } });
    const statuses = [];
    for (let count = 0; count < 3; count++) {
      statuses.push((await limited.client.post(FORGOT, { email: owner.email })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe(`POST ${RESET}`, () => {
  it('should set the password, end all sessions, and tell the owner', async () => {
    const before = await signIn(server.client, owner.email);
    const token = await newToken();
    expect((await reset(token)).status).toBe(200);
    expect((await before.client.get('/profile/mine')).body.reason).toBe('session_ended');
    await expect(signIn(server.client, owner.email, PASSWORD)).rejects.toThrow('invalid email');
    const after = await signIn(server.client, owner.email, NEW_PASSWORD);
    expect((await after.client.get('/profile/mine')).status).toBe(200);
    const told = await mailTo(server, smtp, owner.email);
    expect(told.parsed.subject).toContain('Your password');
    expect(told.parsed.text).not.toContain('#');
  });

  it('should take a token once, also of many requests at the same time', async () => {
    const token = await newToken();
    const answers = await Promise.all(Array.from({ length: 5 }, () => reset(token)));
    const reasons = answers.map(({ status, body }) => body.reason ?? status).sort();
    expect(reasons).toEqual([200, ...Array<string>(4).fill('link_invalid')].sort());
    expect((await reset(token)).body.reason).toBe('link_invalid');
  });

  it('should keep the token when the password is refused', async () => {
    const token = await newToken();
    for (const password of ['short', 'password123', owner.email]) {
      expect((await reset(token, password)).status).toBe(422);
    }
    expect((await reset(token)).status).toBe(200);
  });

  it('should take the two newest links of an account for an hour, and end both with the first use', async () => {
    const clock = holdClock(server.app);
    try {
      const tokens = [];
      for (let count = 0; count < 3; count++) {
        tokens.push(await newToken());
        clock.advance(5 * MINUTE);
      }
      const [first = '', second = '', third = ''] = tokens;
      expect((await reset(first)).body.reason).toBe('link_invalid');
      expect((await reset(second)).status).toBe(200);
      expect((await reset(third)).body.reason).toBe('link_invalid');
      const late = await newToken();
      clock.advance(HOUR);
      expect((await reset(late)).body.reason).toBe('link_invalid');
    } finally {
      clock.release();
    }
  });

  it('should refuse tokens of other kinds, of disabled accounts and of deleted ones', async () => {
    const someone = await person(server);
    await someone.client.put('/auth/email', { email: `new-${someone.email}`, password: PASSWORD });
    const other = tokenIn(await mailTo(server, smtp, `new-${someone.email}`));
    expect((await reset(other)).body.reason).toBe('link_invalid');
    const token = await newToken();
    const users = server.db.collection('users');
    await users.updateOne({ email: owner.email }, { $set: { status: false } });
    expect((await reset(token)).body.reason).toBe('link_invalid');
    await users.deleteOne({ email: owner.email });
    expect((await reset(token)).body.reason).toBe('link_invalid');
    expect((await reset('')).body.reason).toBe('link_invalid');
  });

  it('should consume nothing for a scanner that follows links', async () => {
    const token = await newToken();
    const { status } = await server.client.get(`${RESET}?token=${token}`);
    expect(status).toBe(405);
    expect((await reset(token)).status).toBe(200);
  });

  it('should store only a hash of the token, and log neither', async () => {
    const token = await newToken();
    await reset(token);
    const stored = JSON.stringify(await server.db.collection('one_time_tokens').find().toArray());
    expect(stored).not.toContain(token);
    expect(server.log.join('')).not.toContain(token);
  });
});
