import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLogged } from '../../scripts/support/logged-process.ts';
import type { Call } from '../../scripts/support/own-server.ts';
import { freePort } from '../../scripts/support/network/free-port.ts';
import { atEnd, ownFolder, ownProcess } from '../support/program.ts';
import { until } from '../support/timing.ts';

const PROGRAM = fileURLToPath(new URL('../../examples/cdn/purge.mjs', import.meta.url));
const START_MS = 10_000;

/**
 * Creates the webhook, as docs/cdn.md says, and starts the receiver of examples/cdn, which purges
 * Varnish. The receiver ends with the program.
 * @param admin the admin's token
 * @returns a function that reads the output of the receiver, which is empty unless a purge has failed
 */
export async function startPurger(
  call: Call,
  { admin, edgeUrl, hasPurger }: { admin: string; edgeUrl: string; hasPurger: boolean },
): Promise<() => string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const body = { url, events: ['*'] };
  const options = { token: admin, body };
  const { secret } = await call<{ secret: string }>('POST', '/admin/webhooks', options);
  if (!hasPurger) return () => '';
  const { folder } = ownFolder();
  const receiver = startLogged([process.execPath, [PROGRAM]], join(folder, 'purge.log'), {
    env: {
      PATH: process.env['PATH'],
      WEBHOOK_SECRET: secret,
      VARNISH: edgeUrl,
      PORT: String(port),
    },
  });
  ownProcess(receiver.child);
  atEnd(() => receiver.stop());
  // The receiver is up when it refuses an unsigned request.
  const isUp = async () => (await statusOf(url)) === 401;
  await until('purge.mjs', isUp, { withinMs: START_MS, whyNot: receiver.readLog });
  return receiver.readLog;
}

function statusOf(url: string): Promise<number> {
  return fetch(url, { method: 'POST' }).then(
    ({ status }) => status,
    () => 0,
  );
}
