import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isLong } from '../../../support/scale.js';
import { until } from '../../../support/time/wait.js';
import { makeReadOnly, tryMountDisk } from './fixture/disks.js';
import { EmbeddedServer, type Answer } from './fixture/embedded-server.js';
import { FixtureApp } from './fixture/fixture-app.js';
import { readNotes, writeNote } from './fixture/notes.js';
import { commandsNaming } from './fixture/processes.js';
import { Testbed } from './fixture/testbed.js';

const testbed = new Testbed();
beforeAll(() => testbed.prepare(), 300_000);
afterEach(() => testbed.clear());
afterAll(() => testbed.remove());

/** A mongod that first runs the shell script `fault` of the data folder, if there is one. */
function faultyMongod(dataDir: string): { systemBinary: string; fault: string } {
  const fault = path.join(dataDir, 'fault');
  const body = `[ -f '${fault}' ] && . '${fault}'\nexec '${testbed.mongod}' "$@"`;
  return { systemBinary: testbed.fakeMongod('6.0.5', body), fault };
}

const STOP_MS = 10_000;
/** The second message comes if this user may not mount a file system: the test then removes permissions. */
const READ_ONLY =
  /(is on a read-only file system|cannot be written by this user)\. .* MongoDB is started again in 2 s\.$/;

/** Stops a server while its mongod does not run. */
async function expectPromptStop(server: EmbeddedServer): Promise<void> {
  const startedAt = performance.now();
  server.process.child.kill('SIGTERM');
  expect(await server.process.ended).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
  expect(commandsNaming(`${server.dataDir}/db`)).toEqual([]);
  expect(existsSync(path.join(server.dataDir, 'run.json'))).toBe(false);
}

describe.each(isLong ? ['1', '2'] : ['2'])(
  'kill -9 of the mongod of a server with WORKERS=%s',
  (WORKERS) => {
    let server: EmbeddedServer;
    let fault: string;

    beforeAll(async () => {
      const dataDir = testbed.folder();
      const mongod = faultyMongod(dataDir);
      fault = mongod.fault;
      const env = { WORKERS, METRICS_PORT: '0', MONGOMS_SYSTEM_BINARY: mongod.systemBinary };
      server = await EmbeddedServer.start(dataDir, env);
    }, 60_000);

    it('should cause a pause in which requests get 503, and lose no acknowledged write', async () => {
      // Workers listen before the supervisor writes the URL to run.json.
      const url = await until('run.json to name the server', () => server.run.url);
      const acknowledged: string[] = [];
      const refusals: Answer[] = [];
      let isOver = false;
      const writers = [1, 2, 3].map(async (writer) => {
        for (let count = 0; !isOver; count += 1) {
          const answer = await server.write(`w${writer}-${count}`);
          if (answer.status === 200) acknowledged.push(String(answer.data['_id']));
          else refusals.push(answer);
        }
      });
      await until('some writes', () => acknowledged.length > 20);
      writeFileSync(fault, 'echo "something is broken"; exit 3');
      process.kill(server.mongodPid, 'SIGKILL');
      await until('the end to be logged', () =>
        server.logged(
          'error',
          'MongoDB was killed from outside, most often by the system when memory runs out. Free some ' +
            `memory; no acknowledged write is lost. Its log is ${server.dataDir}/mongod.log. ` +
            'MongoDB is started again in 1 s.',
        ),
      );
      expect(server.run).toMatchObject({ url, mongod: { isReady: false } });
      await until(
        '503 for /health',
        async () => (await server.call('GET', '/health')).status === 503,
      );
      await until('a failed start to be logged', () =>
        server.logged(
          'error',
          '(exit code 3): something is broken. No acknowledged write is lost.',
        ),
      );
      expect(server.logged('error', 'MongoDB is started again in 2 s.')).toBe(true);
      expect(server.run).toMatchObject({ url, mongod: { isReady: false } });
      const before = acknowledged.length;

      rmSync(fault);
      await until(
        '200 for /health',
        async () => (await server.call('GET', '/health')).status === 200,
      );
      expect((await server.write('at-once')).status).toBe(200);
      expect(server.logged('info', 'MongoDB runs again.')).toBe(true);
      expect(server.run).toMatchObject({ url, mongod: { isReady: true } });
      await until('the writers to go on', () => acknowledged.length > before + 20);
      isOver = true;
      await Promise.all(writers);
      expect(refusals.length).toBeGreaterThan(0);
      expect(new Set(refusals.map(({ status, code }) => `${status} ${code}`))).toEqual(
        new Set(['503 10002']),
      );
      expect(refusals.filter(({ retryAfter }) => retryAfter === null)).toEqual([]);
      const statuses = new Set<number>();
      for (const id of acknowledged) {
        statuses.add((await server.call('GET', `/blog/author/id/${id}`)).status);
      }
      expect([...statuses]).toEqual([200]);
      // Events are numbered by a background job in the process that has its lock.
      const late = String((await server.write('late')).data['_id']);
      await server.call('PUT', `/blog/author/submit/${late}`);
      await server.call('PUT', `/blog/editor/publish/id/${late}`);
      await until('the background job to run again', async () => {
        const { data } = await server.call('GET', '/admin/events');
        return JSON.stringify(data).includes(late);
      });
      await until('every process to answer from its caches', async () => {
        await server.call('GET', '/blogs/latest');
        return (await server.metric('pressroom_cache_lease')) === Number(WORKERS);
      });
    }, 60_000);

    it('should let the server stop promptly, even before mongod is started again', async () => {
      process.kill(server.mongodPid, 'SIGKILL');
      await until('the end of mongod in run.json', () => server.run.mongod?.isReady === false);
      await expectPromptStop(server);
    });
  },
);

describe('a mongod that is started again', () => {
  it('should end with its server if the server stops before mongod is ready', async () => {
    const dataDir = testbed.folder();
    const { systemBinary, fault } = faultyMongod(dataDir);
    const server = await EmbeddedServer.start(dataDir, { MONGOMS_SYSTEM_BINARY: systemBinary });
    const first = server.mongodPid;
    // MongoDB 6.0 may hang when it gets SIGTERM while it starts.
    writeFileSync(fault, "trap '' TERM; exec sleep 1000");
    process.kill(first, 'SIGKILL');
    await until('the next mongod to be started', () => server.mongodPid !== first);
    await expectPromptStop(server);
  });

  it('should wait until its folder is back, and create no empty database meanwhile', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(app.mongo.uri, 'kept');
    renameSync(dataDir, `${dataDir}-elsewhere`);
    process.kill(app.mongo.mongodPid, 'SIGKILL');
    const line =
      `${dataDir} is not the folder any more in which MongoDB was started: its run.json is missing. ` +
      'Mount or move it there again, or stop this process. MongoDB is started again in 2 s.';
    await until('the cause to be logged', () =>
      app.messages.some((message) => message.kind === 'error' && message.line === line),
    );
    expect(existsSync(dataDir)).toBe(false);
    renameSync(`${dataDir}-elsewhere`, dataDir);
    await until('mongod to run again', () =>
      app.messages.some(
        (message) => message.kind === 'log' && message.line === 'MongoDB runs again.',
      ),
    );
    expect(await readNotes(app.mongo.uri)).toEqual(['kept']);
  });

  it('should let the server stop while the disk is read-only', async () => {
    const dataDir = testbed.folder();
    tryMountDisk(dataDir, 450);
    const app = await FixtureApp.start(testbed.options(dataDir));
    process.kill(app.mongo.mongodPid, 'SIGKILL');
    await until('the end to be logged', () => app.messages.some(({ kind }) => kind === 'error'));
    const { uid } = makeReadOnly(dataDir);
    // If root may not mount, the folder stays writable (`uid` is set), and mongod may run again.
    if (uid === undefined) {
      await until('a failed start to be logged', () =>
        app.messages.some((message) => message.kind === 'error' && READ_ONLY.test(message.line)),
      );
    }
    await app.kill('SIGTERM');
    expect(app.exitCode).toBe(0);
  });
});
