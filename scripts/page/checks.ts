import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CREDENTIALS, type OwnServer } from '../support/own-server.ts';
import { FOREIGN_HOST, openPage } from './browser.ts';
import { checkAccountPage } from './account.ts';
import { linkTo } from './demo-server.ts';
import { checkHostileArticles } from './hostile-articles.ts';
import { tryOperation } from './operation.ts';
import { checkPasskeys } from './passkeys.ts';

/** Code that runs in the page: it returns the names of parameters that Swagger UI would fill in. */
const FILLED_PARAMETERS = `Promise.all([
  import('/docs/readable.js'),
  fetch('/openapi.json').then((response) => response.json()),
]).then(([{ readable }, description]) =>
  Object.values(readable(description).paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters = [] }) => parameters)
    .filter(({ example, examples, schema }) =>
      [example, examples, schema.example, schema.examples, schema.default].some(Boolean))
    .map(({ name }) => name))`;

interface Context {
  readonly browser: Browser;
  readonly server: OwnServer;
}

type Check = (context: Context) => Promise<void>;

interface Item {
  readonly _id: string;
  readonly title: string;
  readonly slug: string;
}

const PHONE = { viewport: { width: 390, height: 844 } };
const GROUPS = ['Readers', 'Accounts', 'Authors', 'Editors', 'Admins', 'Operators'];
/** Title of the article of the check `an author writes, an editor publishes`. The start page shows it as text. */
const HOSTILE_TITLE = 'Bold <b>and</b> <img src="/nowhere" onerror="document.title=1">';

/** Opens a page of the server, runs `work` on it, and asserts that the page has no faults. */
async function withPage(
  { browser, server }: Context,
  path: '/' | '/docs',
  work: (page: Page) => Promise<void>,
  { host, ...options }: BrowserContextOptions & { readonly host?: string } = {},
): Promise<void> {
  const url = linkTo(server, path);
  if (host) url.hostname = host;
  const { page, faults } = await openPage(browser, url.href, options);
  try {
    await page
      .locator(path === '/' ? '#state strong' : '.opblock')
      .first()
      .waitFor();
    await work(page);
    assert.deepEqual(faults, []);
  } finally {
    await page.context().close();
  }
}

async function signInAs(page: Page, button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByText(`Signed in as ${name}`).waitFor();
}

async function typeApiKey(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(CREDENTIALS.apiKey);
  await page.getByRole('button', { name: 'Use', exact: true }).click();
}

async function assertNoSidewaysScroll(page: Page): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width);
}

/** @returns the brightness of the page's background, from 0 for black to 255 for white */
async function brightness(page: Page): Promise<number> {
  const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  return Number(/\d+/.exec(colour)?.[0]);
}

const checkThemes =
  (path: '/' | '/docs'): Check =>
  (context) =>
    withPage(
      context,
      path,
      async (page) => {
        assert.ok((await brightness(page)) < 64);
        await page.locator('#theme').click();
        assert.ok((await brightness(page)) > 192);
        await page.reload();
        assert.ok((await brightness(page)) > 192);
      },
      { colorScheme: 'dark' },
    );

export const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  [
    '/docs: GET /blogs/latest shows articles without any input',
    (context) =>
      withPage(context, '/docs', async (page) => {
        const { status, data } = await tryOperation<Item[]>(page, 'Readers', 'GET /blogs/latest');
        assert.equal(status, 200);
        assert.ok(data.length > 3);
      }),
  ],
  [
    '/docs: no parameter is filled in, and there are six groups, from Readers to Operators',
    (context) =>
      withPage(context, '/docs', async (page) => {
        const groups = await page.evaluate<string[]>(
          "Array.from(document.querySelectorAll('.opblock-tag'), (tag) => tag.dataset.tag)",
        );
        assert.deepEqual(groups, GROUPS);
        const filled = await page.evaluate<string[]>(FILLED_PARAMETERS);
        assert.deepEqual(filled, []);
      }),
  ],
  [
    '/docs: an author writes, an editor publishes',
    (context) =>
      withPage(context, '/docs', async (page) => {
        await signInAs(page, 'Ines, author', 'Ines Moreau');
        const written = await tryOperation<Item>(page, 'Authors', 'POST /blog/author', {
          body: {
            title: HOSTILE_TITLE,
            description: 'Written on the page.',
            draftText: '<p>By hand.</p>',
            slug: 'written-on-the-page',
            tags: ['pages'],
          },
        });
        assert.equal(written.status, 200, written.message);
        const parameters = { id: written.data._id };
        const submitted = await tryOperation(page, 'Authors', 'PUT /blog/author/submit/{id}', {
          parameters,
        });
        assert.equal(submitted.status, 200, submitted.message);
        await signInAs(page, 'Wen, editor', 'Wen Zhao');
        const published = await tryOperation(page, 'Editors', 'PUT /blog/editor/publish/id/{id}', {
          parameters,
        });
        assert.equal(published.status, 200, published.message);
        const read = await tryOperation<Item>(page, 'Readers', 'GET /blog/slug/{slug}', {
          parameters: { slug: written.data.slug },
        });
        assert.equal(read.data.title, HOSTILE_TITLE);
      }),
  ],
  [
    '/docs: under a host name that is not local, a person types the API key, signs in and out',
    (context) =>
      withPage(
        context,
        '/docs',
        async (page) => {
          assert.equal(await page.locator('#api-key').inputValue(), '');
          assert.equal(await page.locator('#people button').count(), 0);
          await typeApiKey(page);
          await page.getByText('Another account').click();
          await page.getByLabel('Email').fill(CREDENTIALS.email);
          await page.getByLabel('Password').fill(CREDENTIALS.password);
          await page.getByRole('button', { name: 'Sign in' }).click();
          await page.getByText('Signed in as Admin').waitFor();
          const { status, data } = await tryOperation<object[]>(page, 'Admins', 'GET /admin/users');
          assert.equal(status, 200);
          assert.ok(data.length > 4);
          await page.reload();
          await page.getByText('Signed in as Admin').waitFor();
          await page.getByRole('button', { name: 'Sign out' }).click();
          await page.getByText('Not signed in').waitFor();
        },
        { host: FOREIGN_HOST },
      ),
  ],
  [
    '/docs: 390 px wide, without scrolling sideways',
    (context) =>
      withPage(
        context,
        '/docs',
        async (page) => {
          await assertNoSidewaysScroll(page);
          for (const summary of await page.locator('.info summary').all()) await summary.click();
          await signInAs(page, 'Ines, author', 'Ines Moreau');
          await tryOperation(page, 'Readers', 'GET /blogs/latest');
          await tryOperation(page, 'Authors', 'GET /blog/author/drafts');
          await page.locator('.opblock-post .opblock-summary-control').first().click();
          await assertNoSidewaysScroll(page);
        },
        PHONE,
      ),
  ],
  ['/docs: dark like the system, light after a click and after a reload', checkThemes('/docs')],
  [
    '/: the state, the titles of the newest articles as text, and links that work',
    (context) =>
      withPage(context, '/', async (page) => {
        assert.match(await page.locator('#state').innerText(), /^ready · version .+ · embedded/);
        await page.locator('article h3').first().waitFor();
        const titles = await page.locator('article h3').allInnerTexts();
        assert.equal(titles[0], HOSTILE_TITLE);
        assert.equal(titles.length, 5);
        for (const link of await page.locator('#links a').all()) {
          const path = (await link.getAttribute('href')) ?? '';
          assert.equal((await fetch(new URL(path, context.server.url))).status, 200, path);
        }
      }),
  ],
  [
    '/: the curl lines work as the page shows them',
    (context) =>
      withPage(context, '/', async (page) => {
        const lines = await page.locator('#steps code').allInnerTexts();
        assert.equal(lines.length, 3);
        for (const line of lines) {
          const answer = execFileSync('sh', ['-c', line], { encoding: 'utf8' });
          assert.equal((JSON.parse(answer) as { status: number }).status, 200, line);
        }
      }),
  ],
  [
    '/: under a host name that is not local, no key and no articles until a person types the key',
    (context) =>
      withPage(
        context,
        '/',
        async (page) => {
          const text = await page.locator('body').innerText();
          assert.ok(text.includes('YOUR_API_KEY') && !text.includes(CREDENTIALS.apiKey));
          assert.equal(await page.locator('article').count(), 0);
          await typeApiKey(page);
          await page.locator('article').first().waitFor();
        },
        { host: FOREIGN_HOST },
      ),
  ],
  [
    '/: 390 px wide, without scrolling sideways',
    (context) => withPage(context, '/', assertNoSidewaysScroll, PHONE),
  ],
  ['/: dark like the system, light after a click and after a reload', checkThemes('/')],
  ['/account: the links of mails lead to a new password and to an account', checkAccountPage],
  ['passkeys: one is added, signs in alone, and is removed', checkPasskeys],
  [
    'articles: no payload of the tests of cleaning executes anything',
    ({ browser }) => checkHostileArticles(browser),
  ],
];
