import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchBrowser, openPage } from './browser.ts';
import { linkTo, startDemoServer } from './demo-server.ts';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const MAX_BYTES = 300 * 1_024;

/** The pictures: file, path of the page, height, and the selector of an element that must be there first. */
const PICTURES = [
  { file: 'openapi-page.png', path: '/docs', height: 820, ready: '.opblock' },
  { file: 'start-page.png', path: '/', height: 1_040, ready: 'article' },
] as const;

const browser = await launchBrowser();
try {
  // The port is fixed, because the start page shows the address of the server.
  const server = await startDemoServer({ PORT: '3000', API_KEY: 'pr_your-key' });
  try {
    for (const { file, path, height, ready } of PICTURES) {
      const options = { viewport: { width: 1_000, height } };
      const { page, faults } = await openPage(browser, linkTo(server, path).href, options);
      await page.locator(ready).first().waitFor();
      if (path === '/docs') {
        await page.getByRole('button', { name: 'Ines, author' }).click();
        await page.getByText('Signed in as Ines Moreau').waitFor();
      }
      await page.screenshot({ path: DOCS + file });
      const { size } = statSync(DOCS + file);
      console.log(`docs/${file}: ${Math.ceil(size / 1_024)} KiB`);
      if (faults.length > 0) throw new Error(`${path}: ${faults.join('; ')}`);
      if (size > MAX_BYTES) throw new Error(`docs/${file} is larger than ${MAX_BYTES} bytes`);
      await page.context().close();
    }
  } finally {
    await server.stop();
  }
} finally {
  await browser.close();
}
