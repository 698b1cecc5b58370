import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { account } from '../../support/factories.js';
import {
  startNode,
  temporaryFolder,
  untilReady,
  type RunningProcess,
} from '../../support/process.js';
import { isLong } from '../../support/scale.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { SECOND } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';

/** How often each of the two servers is killed at a random moment. */
const KILLS = isLong ? 20 : 1;

/** Number of connections to the SMTP server at a time: what one kill can make arrive twice. */
const CONNECTIONS = 3;

interface Accepted {
  readonly to: string;
  readonly id: string;
}

describe('mails whose server and SMTP server are killed', () => {
  let server: TestApp;
  let folder: string;
  let file: string;
  let smtpUrl: string;

  beforeAll(async () => {
    server = await startApp();
    folder = await temporaryFolder();
    file = join(folder, 'accepted');
    await writeFile(file, '');
  });

  async function startSmtp(port = '0'): Promise<RunningProcess> {
    const running = startNode(['test/events/mail/smtp-process.mjs', port, file], { cwd: folder });
    await until('the SMTP server', () => running.output.stdout.includes('smtp://'), 60_000);
    smtpUrl = running.output.stdout.trim();
    return running;
  }

  async function startServer(): Promise<RunningProcess & { readonly url: string }> {
    const running = startNode(['dist/main.js'], {
      cwd: folder,
      env: {
        NODE_ENV: 'test',
        PORT: '0',
        LOG_LEVEL: 'error',
        MONGODB_URI: server.uri,
        JWT_PRIVATE_KEYS: String(server.env.JWT_PRIVATE_KEYS),
        RATE_LIMITS: 'off',
        SMTP_URL: smtpUrl,
        MAIL_FROM: 'desk@example.org',
      },
    });
    return { ...running, url: await untilReady(running) };
  }

  async function kill({ child, ended }: RunningProcess): Promise<void> {
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
  }

  async function accepted(): Promise<Accepted[]> {
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Accepted);
  }

  /** Lets the time pass after which a mail is sent again that the SMTP server did not accept. */
  const hurry = (): Promise<unknown> =>
    server.db
      .collection('mails')
      .updateMany(
        { nextAt: { $gt: new Date(Date.now() + SECOND) } },
        { $set: { nextAt: new Date() } },
      );

  it(
    'should all arrive, twice only if something died while they were handed over',
    async () => {
      let smtp = await startSmtp();
      const { port } = new URL(smtpUrl);
      let running = await startServer();
      let url: string | null = running.url;
      const demanded: string[] = [];
      let isOver = false;
      const demanding = (async () => {
        while (!isOver) {
          const { email } = await account(server);
          const at = url;
          const answer =
            at &&
            (await server.client
              .at(at)
              .post('/auth/password/forgot', { email })
              .catch(() => null));
          if (answer && answer.status === 200) demanded.push(email);
          await wait(60);
        }
      })();
      for (let kills = 0; kills < KILLS; kills += 1) {
        for (const isServer of [true, false]) {
          const enough = (await accepted()).length + 5 + Math.random() * 20;
          await until('mails', async () => (await accepted()).length > enough, 60_000);
          await wait(Math.random() * 200);
          if (isServer) {
            url = null;
            await kill(running);
            // The locks of the killed process would end only with time.
            await server.db.collection('background_jobs').deleteMany({});
            running = await startServer();
            ({ url } = running);
          } else {
            await kill(smtp);
            await wait(Math.random() * 500);
            smtp = await startSmtp(port);
          }
          await hurry();
        }
      }
      isOver = true;
      await demanding;
      const waiting = { state: 'waiting' };
      await until(
        'all mails',
        async () => {
          await hurry();
          return (await server.db.collection('mails').countDocuments(waiting)) === 0;
        },
        120_000,
      );
      const arrived = await accepted();
      const receivers = new Set(arrived.map(({ to }) => to));
      expect(demanded.filter((email) => !receivers.has(email))).toEqual([]);
      const copies = arrived.length - new Set(arrived.map(({ id }) => id)).size;
      process.stdout.write(
        `${2 * KILLS} kills: ${arrived.length - copies} mails, ${copies} of them twice\n`,
      );
      // Both copies have the same Message-ID, so each receiver has one of them.
      expect(new Set(arrived.map(({ id }) => id)).size).toBe(receivers.size);
      expect(copies).toBeLessThanOrEqual(2 * KILLS * CONNECTIONS);
      running.child.kill();
      smtp.child.kill();
      await Promise.all([running.ended, smtp.ended]);
    },
    KILLS * 120_000 + 120_000,
  );
});
