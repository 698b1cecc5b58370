/** Checks the docs page and the start page in Chromium, on a server with the data of the demo. */
import { messageOf } from '../support/user-error.ts';
import { launchBrowser } from './browser.ts';
import { CHECKS } from './checks.ts';
import { startDemoServer } from './demo-server.ts';

const startedAt = performance.now();
let failed = 0;
const browser = await launchBrowser();
try {
  const server = await startDemoServer();
  try {
    for (const [name, check] of CHECKS) {
      const checkStartedAt = performance.now();
      try {
        await check({ browser, server });
        console.log(`ok: ${name} (${Math.round(performance.now() - checkStartedAt)} ms)`);
      } catch (error) {
        failed += 1;
        console.log(`FAILED: ${name}\n${messageOf(error)}`);
      }
    }
  } finally {
    await server.stop();
  }
} finally {
  await browser.close();
}
console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s`);
console.log(`${CHECKS.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
