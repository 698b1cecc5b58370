import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { UserError } from '../support/user-error.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** A host name that the browser resolves to this machine, as in an attack by DNS rebinding. */
export const FOREIGN_HOST = 'pressroom.test';

/** Matches Chromium's warnings about headers that it ignores because a page is neither on https nor on loopback. */
const NEEDS_TLS = /^The Cross-Origin-Opener-Policy header has been ignored|Origin-Agent-Cluster/;

const WAIT_MS = 60_000;

/** A page with its faults, of which there must be none. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of its scripts and of its console, and requests to other hosts. */
  readonly faults: readonly string[];
}

/** @throws UserError when there is no Chromium on the PATH */
export async function launchBrowser(): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const executablePath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    (path) => existsSync(path),
  );
  if (!executablePath) {
    throw new UserError('No Chromium on the PATH: install it (Debian: apt-get install chromium).');
  }
  return chromium.launch({
    executablePath,
    // Root, as in a container, cannot use the sandbox. Only pages of our own server are opened.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-dev-shm-usage',
      `--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
    ],
  });
}

/** Opens a page of the server in a browser context of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_100, height: 900 }, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !NEEDS_TLS.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${origin}/`) && !address.startsWith('data:')) faults.push(address);
  });
  await page.goto(url);
  return { page, faults };
}
