import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLogged } from '../../scripts/support/logged-process.ts';
import type { Call } from '../../scripts/support/own-server.ts';
import { freePort } from '../../scripts/support/network/free-port.ts';
import { atEnd, ownFolder, ownProcess } from '../support/program.ts';

const PROGRAM = fileURLToPath(new URL('../../examples/cdn/purge.mjs', import.meta.url));
const START_MS = 10_000;

/**
 * Creates the webhook, as docs/cdn.md says, and starts the receiver of examples/cdn, which purges Varnish. It
 * ends with the program.
 *
 * @param admin the admin's token
 * @returns what the receiver has printed, which is nothing unless a purge failed
 */
export async function startPurger(
  call: Call,
  { admin, edgeUrl, isStarted }: { admin: string; edgeUrl: string; isStarted: boolean },
): Promise<() => string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const body = { url, events: ['*'] };
  const { secret } = await call<{ secret: string }>('POST', '/admin/webhooks', {
    ...{ token: admin, body },
  });
  if (!isStarted) return () => '';
  const { folder } = ownFolder();
  const started = startLogged([process.execPath, [PROGRAM]], join(folder, 'purge.log'), {
    env: {
      PATH: process.env['PATH'],
      WEBHOOK_SECRET: secret,
      VARNISH: edgeUrl,
      PORT: String(port),
    },
  });
  ownProcess(started.child);
  atEnd(() => started.stop());
  // It refuses what is not signed.
  for (const deadline = performance.now() + START_MS; (await statusOf(url)) !== 401;) {
    if (!started.isRunning() || performance.now() > deadline) {
      throw new Error(`purge.mjs does not start:\n${started.readLog().slice(-4_000)}`);
    }
    await wait(50);
  }
  return started.readLog;
}

function statusOf(url: string): Promise<number> {
  return fetch(url, { method: 'POST' }).then(
    ({ status }) => status,
    () => 0,
  );
}
