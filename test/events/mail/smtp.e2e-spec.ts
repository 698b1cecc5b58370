import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { account } from '../../support/factories.js';
import { mailTo, sendMails } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { until } from '../../support/time/wait.js';
import { startApp, type TestApp } from '../../support/start-app.js';

/** A key and a certificate for it that no authority has signed. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
  const { stdout } = await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=127.0.0.1',
    '-keyout',
    '-',
  ]);
  const [key = '', cert = ''] = stdout.split(/(?=-----BEGIN CERTIFICATE-----)/);
  return { key, cert };
}

/** Sends one mail, and returns what the outbox says of it. */
async function sendOne(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ server: TestApp; email: string; mail: Record<string, unknown> | null }> {
  const server = await startApp({
    env: { SMTP_URL: url, MAIL_FROM: 'desk@example.org', ...settings },
  });
  const { email } = await account(server);
  await server.client.post('/auth/password/forgot', { email });
  await sendMails(server);
  return { server, email, mail: await server.db.collection('mails').findOne() };
}

const withAuth = (): Promise<SmtpServer> =>
  startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === 'me' && password === 'right';
      done(isRight ? null : new Error('wrong'), isRight ? { user: username } : undefined);
    },
  });

describe('SMTP_URL', () => {
  it('should encrypt by STARTTLS if the server offers it, with a certificate that is checked', async () => {
    // The server has made its certificate itself, so nobody trusts it.
    const smtp = await startSmtp({ disabledCommands: [], ...(await selfSigned()) });
    const refused = await sendOne(smtp.url);
    expect(refused.mail).toMatchObject({ state: 'waiting', attempts: 1 });
    const { server, email } = await sendOne(`${smtp.url}?tls.rejectUnauthorized=false`);
    expect((await mailTo(server, smtp, email)).isEncrypted).toBe(true);
    expect(smtp.mails).toHaveLength(1);
  });

  it('should not send in the clear to another machine', async () => {
    const smtp = await startSmtp();
    // 127.0.0.2 is this machine, but no name for it that the server knows.
    const url = smtp.url.replace('127.0.0.1', '127.0.0.2');
    const { mail } = await sendOne(url);
    expect(mail).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(smtp.mails).toEqual([]);
  });

  it('should sign in to the server', async () => {
    const smtp = await withAuth();
    const right = smtp.url.replace('//', '//me:right@');
    const { server, email } = await sendOne(right);
    expect((await mailTo(server, smtp, email)).to).toEqual([email]);
    const { mail } = await sendOne(smtp.url.replace('//', '//me:wrong@'));
    // An operator can correct the password, so the mail is not lost.
    expect(mail).toMatchObject({ state: 'waiting', attempts: 1, error: 'EAUTH 535' });
  });

  it('should keep the mail while no server listens', async () => {
    const { mail } = await sendOne('smtp://127.0.0.1:1');
    expect(mail).toMatchObject({ state: 'waiting', attempts: 1, error: 'ESOCKET' });
  });

  it('should delay no request while the server hangs', async () => {
    const smtp = await startSmtp();
    let release: (() => void) | undefined;
    smtp.onRecipient = () => new Promise((resolve) => (release = resolve));
    const server = await startApp({
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org' },
    });
    const { email } = await account(server);
    await server.client.post('/auth/password/forgot', { email });
    const sending = sendMails(server);
    const end = await until('the server hangs', () => release);
    const { status } = await server.client.post('/auth/password/forgot', { email });
    expect(status).toBe(200);
    end();
    await sending;
    expect(smtp.mails).toHaveLength(1);
  });
});

describe('without SMTP_URL', () => {
  it('should show the mail with its link in the log outside production', async () => {
    const server = await startApp();
    const { email } = await account(server);
    await server.client.post('/auth/password/forgot', { email });
    await sendMails(server);
    expect(server.log.join('')).toMatch(
      new RegExp(`To: ${email}.*https://press.example/account#passwordReset=`, 's'),
    );
  });

  it('should answer 404 in production to what needs mail', async () => {
    const server = await startApp({ env: { NODE_ENV: 'production' } });
    const { status, body } = await server.client.post('/auth/password/forgot', {
      email: 'ada@example.org',
    });
    expect([status, body.reason]).toEqual([404, 'mail_not_configured']);
    expect(await server.db.collection('mails').countDocuments()).toBe(0);
  });
});
