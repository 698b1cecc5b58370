import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { importerOfBuilt } from '../support/built.ts';

interface Modules {
  'blog/core/html/clean-html': {
    readonly cleanHtml: (html: string, hosts: readonly string[]) => string;
  };
}

/** The hosts whose frames are allowed. Many payloads name them. */
const HOSTS = ['x.example', 'www.youtube.com'];
/** The only URL that is loaded. */
const SITE = 'https://blog.example/';
const PAYLOADS_OF_A_PAGE = 500;

/** Texts that were not cleaned. Each executes once. */
const EXECUTED = ['<script>alert(1)</script>', '<a href="javascript:alert(1)">x</a>'];

/** Runs before every page and frame. All payloads that execute call one of these functions. */
const COUNT_EXECUTIONS = `globalThis.executions = 0;
for (const name of ['alert', 'confirm', 'prompt', 'print'])
  globalThis[name] = () => { top.executions += 1; };`;

/**
 * Follows the links that would execute something, writes the article again as an editor in the
 * browser would, and waits for its pictures. Returns the number of executions.
 */
const TRY_ARTICLES = `(async () => {
  for (const link of document.links) if (!/^(?:https?|mailto|tel)?:$/.test(link.protocol)) link.click();
  document.body.innerHTML = document.body.innerHTML;
  for (const element of document.querySelectorAll('details')) element.open = true;
  for (const element of document.querySelectorAll('*')) element.focus?.();
  while ([...document.images].some((image) => !image.complete))
    await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return executions;
})()`;

/** Shows every payload of the grammar of attacks in Chromium, as cleaning leaves it. */
export async function checkHostileArticles(browser: Browser): Promise<void> {
  const { cleanHtml } = await importerOfBuilt<Modules>()('blog/core/html/clean-html');
  const payloads = await hostileTexts();
  const context = await browser.newContext();
  try {
    await context.addInitScript(COUNT_EXECUTIONS);
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss());
    // Without this the check might be unable to fail.
    assert.equal(await executionsOf(page, EXECUTED), EXECUTED.length);
    for (let from = 0; from < payloads.length; from += PAYLOADS_OF_A_PAGE) {
      const shown = payloads.slice(from, from + PAYLOADS_OF_A_PAGE);
      const articles = shown.map((payload) => cleanHtml(payload, HOSTS));
      const executions = await executionsOf(page, articles);
      assert.equal(executions, 0, `payloads ${from} to ${from + shown.length}`);
    }
  } finally {
    await context.close();
  }
}

async function executionsOf(page: Page, articles: readonly string[]): Promise<number> {
  const body = `<!doctype html><body>${articles.map((html) => `<div>${html}</div>`).join('\n')}`;
  await page.unrouteAll();
  await page.route('**/*', (route) => route.abort());
  await page.route(SITE, (route) =>
    route.fulfill({ contentType: 'text/html;charset=utf-8', body }),
  );
  await page.goto(SITE);
  return page.evaluate<number>(TRY_ARTICLES);
}

/** The payloads of the tests of the cleaner, whose modules name each other by `.js`. */
async function hostileTexts(): Promise<string[]> {
  registerHooks({
    resolve(specifier, context, next) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      const isOwn = specifier.startsWith('.') && existsSync(source);
      return isOwn ? { url: source.href, shortCircuit: true } : next(specifier, context);
    },
  });
  const { PAYLOADS } = await import('../../test/support/html/attacks.ts');
  return [...PAYLOADS.values()].flatMap((payloads) => [...payloads]);
}
