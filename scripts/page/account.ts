import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { CREDENTIALS, startOwnServer, type OwnServer } from '../support/own-server.ts';
import { openPage } from './browser.ts';

const PASSWORD = 'a new password of theirs';
const MAIL_MS = 10_000;

interface SignedIn {
  readonly tokens: { readonly accessToken: string };
}

/** Uses the account page by the links of mails, which a server without an SMTP server shows in its log. */
export async function checkAccountPage({ browser }: { readonly browser: Browser }): Promise<void> {
  const server = await startOwnServer({ env: { LOG_LEVEL: 'info' } });
  try {
    await invite(browser, server);
    await forget(browser, server);
  } finally {
    await server.stop();
  }
}

async function invite(browser: Browser, server: OwnServer): Promise<void> {
  const { email, password } = CREDENTIALS;
  const admin = await signIn(server, email, password);
  const token = admin.tokens.accessToken;
  for (const guest of ['gina@example.org', email]) {
    const body = { email: guest, roles: ['AUTHOR'] };
    await server.call('POST', '/admin/invitations', { token, body });
  }
  await onLink(browser, server, 'gina@example.org', async (page) => {
    await page.getByLabel('Your name').fill('Gina Guest');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('Your account is ready').waitFor();
  });
  await signIn(server, 'gina@example.org', PASSWORD);
  // The admin has an account: the page asks for its password, and adds the role.
  await onLink(
    browser,
    server,
    email,
    async (page) => {
      await page.getByLabel('Your name').fill('Somebody');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByText('has the roles of the invitation').waitFor();
    },
    // The browser logs the refusal that makes the page ask.
    1,
  );
}

async function forget(browser: Browser, server: OwnServer): Promise<void> {
  const { page, faults } = await openPage(browser, `${server.url}/account`);
  await page.getByLabel('Email address').fill('gina@example.org');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('gets a mail with a link').waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
  await onLink(browser, server, 'gina@example.org', async (opened) => {
    await opened.getByLabel('Password').fill(`${PASSWORD}, again`);
    await opened.getByRole('button', { name: 'Save' }).click();
    await opened.getByText('Your new password is set').waitFor();
  });
  await signIn(server, 'gina@example.org', `${PASSWORD}, again`);
}

/** Opens the link of the newest mail to an address. The token must leave the address of the page at once. */
async function onLink(
  browser: Browser,
  server: OwnServer,
  to: string,
  work: (page: Page) => Promise<void>,
  expectedFaults = 0,
): Promise<void> {
  const fragment = await fragmentOfMail(server, to);
  const { page, faults } = await openPage(browser, `${server.url}/account${fragment}`);
  await page.getByRole('button', { name: /Accept|Save/ }).waitFor();
  assert.equal(page.url(), `${server.url}/account`);
  await work(page);
  assert.equal(faults.length, expectedFaults, faults.join());
  await page.context().close();
}

async function fragmentOfMail(server: OwnServer, to: string): Promise<string> {
  const end = performance.now() + MAIL_MS;
  for (;;) {
    const mails = server.readLog().split('To: ').slice(1);
    const mail = mails.findLast((text) => text.startsWith(`${to}"`)) ?? '';
    const [fragment] = /#\w+=[\w-]{43}/.exec(mail) ?? [];
    if (fragment !== undefined && !used.has(fragment)) {
      used.add(fragment);
      return fragment;
    }
    if (performance.now() > end) throw new Error(`no mail for ${to}`);
    await wait(50);
  }
}

const used = new Set<string>();

function signIn(server: OwnServer, email: string, password: string): Promise<SignedIn> {
  return server.call('POST', '/auth/signin/basic', { body: { email, password } });
}
