import { beforeAll, describe, expect, it } from '@jest/globals';
import { account, PASSWORD } from '../../support/factories.js';
import { mailTo, sendMails } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { startApp, type TestApp } from '../../support/start-app.js';

describe('a sign-in from a device and network', () => {
  let smtp: SmtpServer;
  let server: TestApp;

  beforeAll(async () => {
    smtp = await startSmtp();
    server = await startApp({
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org', TRUST_PROXY: '127.0.0.1' },
    });
  });

  it('should be told by mail if the owner has signed in before, but not from these', async () => {
    const { email } = await account(server);
    const signIn = async (userAgent: string, address: string): Promise<number> => {
      const headers = { 'user-agent': userAgent, 'x-forwarded-for': address };
      const body = { email, password: PASSWORD };
      const answer = await server.client.post('/auth/signin/basic', body, { headers });
      expect(answer.status).toBe(200);
      await sendMails(server);
      return smtp.mails.filter(({ to }) => to.includes(email)).length;
    };
    expect(await signIn('curl/8.1', '198.51.100.1')).toBe(0);
    expect(await signIn('curl/8.1', '198.51.100.1')).toBe(0);
    // Another version of the program at another address of the network is the same device and network.
    expect(await signIn('curl/8.2', '198.51.100.9')).toBe(0);
    expect(await signIn('Evil.example/1.0', '198.51.100.1')).toBe(1);
    expect(await signIn('curl/8.1', '203.0.113.1')).toBe(2);
    expect(await signIn('curl/8.1', '198.51.100.1')).toBe(2);
    expect(await signIn('curl/8.1', '203.0.113.1')).toBe(2);
    const { parsed } = await mailTo(server, smtp, email);
    expect(parsed.subject).toContain('New sign-in');
    expect(parsed.text).toContain('curl, 203');
    // What a client calls itself becomes no link.
    const told = smtp.mails.find(({ to }) => to.includes(email));
    expect(told?.parsed.text).not.toContain('Evil.example');
  });
});
