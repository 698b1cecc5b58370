import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FixtureApp } from './fixture/fixture-app.js';
import { readNotes, withClient, writeNote } from './fixture/notes.js';
import { commandsNaming, isRunning, listenersOf, watchersOf } from './fixture/processes.js';
import { Testbed } from './fixture/testbed.js';
import { until } from '../../../support/time/wait.js';

const testbed = new Testbed();
beforeAll(() => testbed.prepare(), 300_000);
afterEach(() => testbed.clear());
afterAll(() => testbed.remove());

/** Waits until no command line contains the folder. */
function untilNothingRuns(dataDir: string): Promise<unknown> {
  return until(
    `no process of ${dataDir} runs`,
    () => commandsNaming(`${dataDir}/db`).length === 0,
    15_000,
  );
}

describe('a clean start and stop', () => {
  it('should keep the data, and leave no process, socket or run.json', async () => {
    const dataDir = testbed.folder();
    for (const expected of [[], ['run 0'], ['run 0', 'run 1']]) {
      const app = await FixtureApp.start(testbed.options(dataDir));
      expect(await readNotes(app.mongo.uri)).toEqual(expected);
      await writeNote(app.mongo.uri, `run ${expected.length}`);
      await app.kill('SIGTERM');
      expect(app.exitCode).toBe(0);
      expect(commandsNaming(`${dataDir}/db`)).toEqual([]);
      expect(existsSync(path.join(dataDir, 'run.json'))).toBe(false);
      expect(existsSync(path.join(dataDir, 'sock', 'm.sock'))).toBe(false);
    }
  });

  it('should be a primary with transactions and change streams', async () => {
    const app = await FixtureApp.start(testbed.options(testbed.folder()));
    const change = await withClient(app.mongo.uri, async (client) => {
      const notes = client.db().collection('notes');
      return client.withSession(async (session) => {
        await notes.insertOne({ text: 'before' }, { session });
        const stream = notes.watch([], {
          ...(session.operationTime ? { startAtOperationTime: session.operationTime } : {}),
        });
        await session.withTransaction(() => notes.insertOne({ text: 'inside' }, { session }));
        const changes = [await stream.next(), await stream.next()];
        await stream.close();
        return changes[1];
      });
    });
    expect(change).toMatchObject({ operationType: 'insert', fullDocument: { text: 'inside' } });
  });

  it('should listen on a private socket only, and on no TCP port', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    const socket = path.join(dataDir, 'sock', 'm.sock');
    expect(listenersOf(app.mongo.mongodPid)).toEqual({ tcp: [], unix: [socket] });
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    expect(statSync(socket).mode & 0o077).toBe(0);
  });
});

describe('Ctrl-C', () => {
  it('should not reach mongod, which the app ends', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(app.mongo.uri, 'kept');
    await app.interruptGroup();
    expect(app.exitCode).toBe(0);
    expect(app.messages.filter(({ kind }) => kind === 'error')).toEqual([]);
    expect(commandsNaming(`${dataDir}/db`)).toEqual([]);
    const log = readFileSync(path.join(dataDir, 'mongod.log'), 'utf8');
    expect(log).not.toContain('"signal":2');

    const next = await FixtureApp.start(testbed.options(dataDir));
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
  });
});

describe('kill -9', () => {
  it('of the app should leave no process and lose no data', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(app.mongo.uri, 'kept');
    const processes = [app.mongo.mongodPid, ...watchersOf(app.mongo.mongodPid)];
    await app.kill('SIGKILL');
    await untilNothingRuns(dataDir);
    expect(processes.filter(isRunning)).toEqual([]);

    const next = await FixtureApp.start(testbed.options(dataDir));
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
  });

  it('of the app should not delay the next start', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(app.mongo.uri, 'kept');
    await app.kill('SIGKILL');
    // At once, while the previous mongod is still ending.
    const next = await FixtureApp.start(testbed.options(dataDir));
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
    expect(isRunning(app.mongo.mongodPid)).toBe(false);
  });

  it('of the app and mongod should lose no data', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(app.mongo.uri, 'kept');
    const watchers = watchersOf(app.mongo.mongodPid);
    process.kill(app.mongo.mongodPid, 'SIGKILL');
    await app.kill('SIGKILL');
    await until('the watcher has ended', () => watchers.filter(isRunning).length === 0);

    const next = await FixtureApp.start(testbed.options(dataDir));
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
  });

  it('of the app and the watcher should make the next start end the orphaned mongod', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(app.mongo.uri, 'kept');
    // The app first, which would otherwise notice the end of the watcher and end mongod.
    process.kill(app.pid, 'SIGSTOP');
    for (const pid of watchersOf(app.mongo.mongodPid)) process.kill(pid, 'SIGKILL');
    await app.kill('SIGKILL');
    expect(isRunning(app.mongo.mongodPid)).toBe(true);

    const next = await FixtureApp.start(testbed.options(dataDir));
    expect(isRunning(app.mongo.mongodPid)).toBe(false);
    expect(next.messages).toContainEqual({
      kind: 'log',
      line: `Ending the MongoDB (pid ${app.mongo.mongodPid}) that an earlier start left behind.`,
    });
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
  });

  it('of the app and the watcher should make the next start end the orphan also without run.json', async () => {
    const dataDir = testbed.folder();
    const app = await FixtureApp.start(testbed.options(dataDir));
    process.kill(app.pid, 'SIGSTOP');
    for (const pid of watchersOf(app.mongo.mongodPid)) process.kill(pid, 'SIGKILL');
    await app.kill('SIGKILL');
    rmSync(path.join(dataDir, 'run.json'));

    await FixtureApp.start(testbed.options(dataDir));
    expect(isRunning(app.mongo.mongodPid)).toBe(false);
  });
});

describe('a folder that was moved', () => {
  it('should open at its new path with all data', async () => {
    const first = testbed.folder();
    const app = await FixtureApp.start(testbed.options(first));
    await writeNote(app.mongo.uri, 'kept');
    await app.kill('SIGTERM');
    const second = `${first}-moved`;
    renameSync(first, second);

    const next = await FixtureApp.start(testbed.options(second));
    expect(next.mongo.uri).toContain(encodeURIComponent(second));
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
    await writeNote(next.mongo.uri, 'more');
    expect(await readNotes(next.mongo.uri)).toEqual(['kept', 'more']);
  });

  it('should open where the path is too long or has characters that a socket cannot have', async () => {
    const first = testbed.folder();
    const app = await FixtureApp.start(testbed.options(first));
    await writeNote(app.mongo.uri, 'kept');
    await app.kill('SIGTERM');
    const second = `${first}, größer: ${'x'.repeat(100)}`;
    renameSync(first, second);

    const next = await FixtureApp.start(testbed.options(second));
    const socket = listenersOf(next.mongo.mongodPid).unix[0] ?? '';
    expect(socket).toMatch(/\/pressroom-\w{6}\/m\.sock$/);
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
    await next.kill('SIGTERM');
    expect(existsSync(path.dirname(socket))).toBe(false);
  });

  it('should open after kill -9 of the app and the watcher, when the orphan uses the old path', async () => {
    const first = testbed.folder();
    const app = await FixtureApp.start(testbed.options(first));
    await writeNote(app.mongo.uri, 'kept');
    process.kill(app.pid, 'SIGSTOP');
    for (const pid of watchersOf(app.mongo.mongodPid)) process.kill(pid, 'SIGKILL');
    await app.kill('SIGKILL');
    const second = `${first}-moved`;
    renameSync(first, second);

    const next = await FixtureApp.start(testbed.options(second));
    expect(isRunning(app.mongo.mongodPid)).toBe(false);
    expect(await readNotes(next.mongo.uri)).toEqual(['kept']);
  });
});
