import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/client.js';
import { PASSWORD, person, unique } from '../../support/factories.js';
import { mailTo, tokenIn } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { holdClock, MINUTE } from '../../support/time/clock.js';

let smtp: SmtpServer;
let server: TestApp;
let email: string;
let client: Client;

beforeAll(async () => {
  smtp = await startSmtp();
  const env = { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org', EMAIL_VERIFICATION: 'on' };
  server = await startApp({ env });
});

beforeEach(async () => {
  email = `${unique('new')}@example.org`;
  const { body } = await server.client.post<{ tokens: { accessToken: string } }>(
    '/auth/signup/basic',
    { email, password: PASSWORD, name: 'Visit http://evil.example' },
  );
  client = server.client.as(body.data.tokens.accessToken);
});

const rename = () => client.post('/auth/tokens', { name: 'mine', roles: [] });
const verify = (token: string) => server.client.post('/auth/email/verify', { token });

describe('EMAIL_VERIFICATION=on', () => {
  it('should let a new account read at once, and write once its address is confirmed', async () => {
    expect((await client.get('/blogs/latest')).status).toBe(200);
    expect((await client.get('/auth/sessions')).status).toBe(200);
    const refused = await rename();
    expect([refused.status, refused.body.reason]).toEqual([403, 'email_unverified']);
    const mail = await mailTo(server, smtp, email);
    expect(mail.parsed.text).not.toContain('evil');
    expect((await verify(tokenIn(mail))).status).toBe(200);
    expect((await rename()).status).toBe(200);
    expect((await verify(tokenIn(mail))).body.reason).toBe('link_invalid');
  });

  it('should send the link again after five minutes, and not to verified accounts', async () => {
    const again = () => client.post('/auth/email/verification');
    expect((await again()).status).toBe(429);
    const clock = holdClock(server.app);
    clock.advance(6 * MINUTE);
    const later = await again();
    clock.release();
    expect(later.status).toBe(200);
    const mail = await mailTo(server, smtp, email);
    await verify(tokenIn(mail));
    const count = smtp.mails.length;
    expect((await again()).status).toBe(200);
    await expect(mailTo(server, smtp, email)).resolves.toBe(smtp.mails[count - 1]);
  });

  it('should count accounts as verified that were made before, or otherwise', async () => {
    const before = await person(server);
    const { status } = await before.client.post('/auth/tokens', { name: 'mine', roles: [] });
    expect(status).toBe(200);
  });

  it('should also take a reset of the password, or a change of the address, as a proof', async () => {
    await server.client.post('/auth/password/forgot', { email });
    const reset = tokenIn(await mailTo(server, smtp, email));
    await server.client.post('/auth/password/reset', { token: reset, password: PASSWORD });
    const stored = await server.db.collection('users').findOne({ email });
    expect(stored).not.toHaveProperty('isUnverified');
  });

  it('should end the link when the address changes', async () => {
    const first = tokenIn(await mailTo(server, smtp, email));
    const other = `other-${email}`;
    await client.put('/auth/email', { email: other, password: PASSWORD });
    const change = tokenIn(await mailTo(server, smtp, other));
    expect((await server.client.post('/auth/email/confirm', { token: change })).status).toBe(200);
    expect((await verify(first)).body.reason).toBe('link_invalid');
    expect((await rename()).status).toBe(200);
  });
});
