import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FixtureApp, type StartedApp } from './fixture/fixture-app.js';
import { readNotes, withClient, writeNote } from './fixture/notes.js';
import { commandsNaming, isRunning, listenersOf, watchersOf } from './fixture/processes.js';
import { Testbed } from './fixture/testbed.js';
import { until } from '../../../support/time/wait.js';

jest.setTimeout(60_000);

describe('an embedded MongoDB', () => {
  const testbed = new Testbed();
  let dataDir: string;
  /** The app that was started last. A test may leave it running; the next test then uses it. */
  let last: StartedApp | null = null;

  beforeAll(async () => {
    await testbed.prepare();
    dataDir = testbed.folder();
  }, 300_000);

  afterAll(async () => {
    await testbed.clear();
    testbed.remove();
  });

  async function start(): Promise<StartedApp> {
    last = await FixtureApp.start(testbed.options(dataDir));
    return last;
  }

  /** An app whose database holds the note "kept". */
  async function runningApp(): Promise<StartedApp> {
    const app = last && !last.hasEnded ? last : await start();
    const { uri } = app.mongo;
    if ((await readNotes(uri)).length === 0) await writeNote(uri, 'kept');
    return app;
  }

  async function startAndExpectKept(): Promise<StartedApp> {
    const app = await start();
    expect(await readNotes(app.mongo.uri)).toEqual(['kept']);
    return app;
  }

  /** Moves the folder while nothing runs in it. */
  function moveTo(name: string): void {
    const to = path.join(path.dirname(dataDir), name);
    renameSync(dataDir, to);
    dataDir = to;
  }

  const nothingRuns = (): boolean => commandsNaming(`${dataDir}/db`).length === 0;

  it('should be a primary with transactions and change streams', async () => {
    const app = await runningApp();
    const change = await withClient(app.mongo.uri, async (client) => {
      const events = client.db().collection('events');
      return client.withSession(async (session) => {
        await events.insertOne({ text: 'before' }, { session });
        const stream = events.watch([], {
          ...(session.operationTime ? { startAtOperationTime: session.operationTime } : {}),
        });
        await session.withTransaction(() => events.insertOne({ text: 'inside' }, { session }));
        const changes = [await stream.next(), await stream.next()];
        await stream.close();
        return changes[1];
      });
    });
    expect(change).toMatchObject({ operationType: 'insert', fullDocument: { text: 'inside' } });
  });

  it('should listen on a private socket only, and on no TCP port', async () => {
    const app = await runningApp();
    const socket = path.join(dataDir, 'sock', 'm.sock');
    expect(listenersOf(app.mongo.mongodPid)).toEqual({ tcp: [], unix: [socket] });
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    expect(statSync(socket).mode & 0o077).toBe(0);
  });

  it('should keep the data when it stops, and leave no process, socket or run.json', async () => {
    const app = await runningApp();
    await app.kill('SIGTERM');
    expect(app.exitCode).toBe(0);
    expect(nothingRuns()).toBe(true);
    expect(existsSync(path.join(dataDir, 'run.json'))).toBe(false);
    expect(existsSync(path.join(dataDir, 'sock', 'm.sock'))).toBe(false);
    const { version } = app.mongo;
    const stored = readFileSync(path.join(dataDir, 'data-version.json'), 'utf8');
    expect(JSON.parse(stored)).toEqual({ version });
    await startAndExpectKept();
  });

  it('should get no SIGINT at Ctrl-C, but be ended by the app', async () => {
    const app = await runningApp();
    await app.interruptGroup();
    expect(app.exitCode).toBe(0);
    expect(app.messages.filter(({ kind }) => kind === 'error')).toEqual([]);
    expect(nothingRuns()).toBe(true);
    expect(readFileSync(path.join(dataDir, 'mongod.log'), 'utf8')).not.toContain('"signal":2');
    await startAndExpectKept();
  });

  it('should end after kill -9 of the app, and so should the watcher', async () => {
    const app = await runningApp();
    const processes = [app.mongo.mongodPid, ...watchersOf(app.mongo.mongodPid)];
    await app.kill('SIGKILL');
    await until('all processes to end', nothingRuns, 15_000);
    expect(processes.filter(isRunning)).toEqual([]);
    await startAndExpectKept();
  });

  it('should end before the next app is ready, even if that starts right after kill -9 of the first app', async () => {
    const app = await runningApp();
    await app.kill('SIGKILL');
    // The next app starts at once, while the previous mongod is still ending.
    await startAndExpectKept();
    expect(isRunning(app.mongo.mongodPid)).toBe(false);
  });

  it('should lose no data by kill -9 of the app and of itself', async () => {
    const app = await runningApp();
    const watchers = watchersOf(app.mongo.mongodPid);
    process.kill(app.mongo.mongodPid, 'SIGKILL');
    await app.kill('SIGKILL');
    await until('the watcher has ended', () => watchers.filter(isRunning).length === 0);
    await startAndExpectKept();
  });

  describe('after kill -9 of the app and the watcher', () => {
    it.each([
      ['run.json names the mongod', () => undefined],
      ['run.json is missing', () => rmSync(path.join(dataDir, 'run.json'))],
      ['the folder was moved meanwhile', () => moveTo('moved')],
    ])('should end before the next app is ready, if %s', async (_, meanwhile) => {
      const app = await runningApp();
      const { mongodPid } = app.mongo;
      // The app is suspended first, because it would notice the end of the watcher and end mongod.
      process.kill(app.pid, 'SIGSTOP');
      for (const pid of watchersOf(mongodPid)) process.kill(pid, 'SIGKILL');
      await app.kill('SIGKILL');
      expect(isRunning(mongodPid)).toBe(true);
      meanwhile();
      const next = await startAndExpectKept();
      expect(isRunning(mongodPid)).toBe(false);
      // A mongod whose folder was moved may have ended by itself.
      if (dataDir.endsWith('moved')) return;
      expect(next.messages).toContainEqual({
        kind: 'log',
        line: `Ending the MongoDB (pid ${mongodPid}) that an earlier start left behind.`,
      });
    });
  });

  it('should have its socket in a temporary folder if the data folder has a long, unusual path', async () => {
    await (await runningApp()).kill('SIGTERM');
    moveTo(`größer: ${'x'.repeat(100)}`);
    const next = await startAndExpectKept();
    const socket = listenersOf(next.mongo.mongodPid).unix[0] ?? '';
    expect(socket).toMatch(/\/pressroom-\w{6}\/m\.sock$/);
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    await next.kill('SIGTERM');
    expect(existsSync(path.dirname(socket))).toBe(false);
  });
});
