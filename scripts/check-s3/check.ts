import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../build-if-stale.mjs';
import { checkPictures } from './pictures.ts';
import { startLogged, type LoggedProcess } from '../support/logged-process.ts';
import { freePort } from '../support/network/free-port.ts';
import { preparePython } from '../support/python.ts';
import { messageOf } from '../support/user-error.ts';

const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const START_MS = 30_000;

if (process.argv.includes('--help')) {
  console.log('usage: npm run check:s3, which keeps pictures in the S3 of moto');
  process.exit(0);
}
const python = await preparePython('s3', REQUIREMENTS);
buildIfStale();
const folder = mkdtempSync(join(tmpdir(), 'pressroom-s3-'));
const port = await freePort();
const moto = startLogged(
  [python.program, ['-m', 'moto.server', '--host', '127.0.0.1', '--port', String(port)]],
  join(folder, 'moto.log'),
  {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: python.path.join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  },
);
try {
  await untilReady(moto, `http://127.0.0.1:${port}`);
  await checkPictures(`127.0.0.1:${port}`);
  console.log('passed');
} catch (error) {
  console.error(`FAILED: ${error instanceof Error ? error.stack : messageOf(error)}`);
  console.error(`the last lines of moto:\n${moto.readLog().slice(-4_000)}`);
  process.exitCode = 1;
} finally {
  await moto.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function untilReady({ isRunning, readLog }: LoggedProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (isRunning() && performance.now() < deadline) {
    const answer = await fetch(`${url}/moto-api/`).catch(() => null);
    if (answer?.ok) return;
    await wait(50);
  }
  throw new Error(`moto does not start:\n${readLog().slice(-4_000)}`);
}
