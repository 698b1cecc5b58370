import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { enrolApp } from '../auth/factors/totp.js';
import { PASSWORD, person } from '../support/factories.js';
import { mailTo } from '../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../support/mail/smtp-server.js';
import { openCommandFixture, type CommandFixture } from './fixture.js';

// Each command starts a process.
jest.setTimeout(120_000);

let smtp: SmtpServer;
let fixture: CommandFixture;
let mailEnv: Readonly<Record<string, string>>;

beforeAll(async () => {
  smtp = await startSmtp();
  mailEnv = { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org' };
  fixture = await openCommandFixture(mailEnv);
});

describe('pressroom mail test', () => {
  it('should send a mail, or say what to check', async () => {
    const args = ['mail', 'test', 'you@example.org'];
    const sent = await fixture.run(args, { env: mailEnv });
    expect([sent.code, sent.stdout.trim()]).toEqual([0, 'Sent to you@example.org.']);
    expect(smtp.mails.at(-1)?.to).toEqual(['you@example.org']);
    const down = await fixture.run(args, { env: { ...mailEnv, SMTP_URL: 'smtp://127.0.0.1:1' } });
    expect(down.code).toBe(1);
    expect(down.stderr).toContain('has not taken the mail (ESOCKET): check SMTP_URL');
    const none = await fixture.run(args, { env: { SMTP_URL: '' } });
    expect(none.stderr).toContain('SMTP_URL is not set');
  });
});

describe('pressroom users reset-2fa', () => {
  it('should remove the factors of an account, and tell its owner', async () => {
    const { server } = fixture;
    const owner = await person(server);
    await enrolApp(owner);
    const { removed } = await fixture.json(['users', 'reset-2fa', owner.email]);
    expect(removed).toBe(1);
    const body = { email: owner.email, password: PASSWORD };
    expect((await server.client.post('/auth/signin/basic', body)).status).toBe(200);
    const { parsed } = await mailTo(server, smtp, owner.email);
    expect(parsed.subject).toContain('was removed');
  });
});

describe('pressroom migrate', () => {
  it('should seal secrets anew under a new signing key, and report those of an unknown one', async () => {
    const { server } = fixture;
    const owner = await person(server);
    await enrolApp(owner);
    const factors = server.db.collection('factors');
    const kidOf = async (): Promise<unknown> =>
      (await factors.findOne({ kind: 'totp' }))?.['secret'].kid;
    const before = await kidOf();
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const env = { JWT_PRIVATE_KEYS: privateKey + (server.env.JWT_PRIVATE_KEYS ?? '') };
    const dry = await fixture.run(['migrate', '--dry-run'], { env });
    expect(dry.stdout).toContain('factors.secret: 1 sealed anew');
    expect(await kidOf()).toBe(before);
    await fixture.run(['migrate'], { env });
    expect(await kidOf()).not.toBe(before);
    const unknown = await fixture.run(['migrate']);
    expect(unknown.stdout).toContain('factors.secret: 1 sealed under a signing key');
  });
});
