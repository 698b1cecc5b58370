import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FixtureApp } from './fixture/fixture-app.js';
import { readNotes, writeNote } from './fixture/notes.js';
import { isRunning } from './fixture/processes.js';
import { Testbed } from './fixture/testbed.js';

const testbed = new Testbed();
beforeAll(() => testbed.prepare(), 300_000);
afterEach(() => testbed.clear());
afterAll(() => testbed.remove());

describe('a second start in the same folder', () => {
  it('should be refused with the process id of the first, which keeps running', async () => {
    const dataDir = testbed.folder();
    const first = await FixtureApp.start(testbed.options(dataDir));
    const second = FixtureApp.spawn(testbed.options(dataDir));
    const { name, message, pid } = await second.failed();
    expect({ name, pid }).toEqual({ name: 'EmbeddedMongoInUseError', pid: first.pid });
    expect(message).toBe(
      `${dataDir} is in use: the Pressroom process ${first.pid} keeps its embedded MongoDB there. ` +
        'Stop that process first, or set DATA_DIR to another folder.',
    );
    await second.ended();
    await writeNote(first.mongo.uri, 'goes on');
    expect(await readNotes(first.mongo.uri)).toEqual(['goes on']);
  });

  it('should work after the first has stopped', async () => {
    const dataDir = testbed.folder();
    const first = await FixtureApp.start(testbed.options(dataDir));
    await first.kill('SIGTERM');
    const second = await FixtureApp.start(testbed.options(dataDir));
    expect(second.mongo.joined).toBe(false);
  });
});

describe('a folder whose owner is not visible', () => {
  it('should be refused while a mongod listens on its socket', async () => {
    const dataDir = testbed.folder();
    const socket = path.join(dataDir, 'sock', 'm.sock');
    mkdirSync(path.dirname(socket));
    const server = createServer().listen(socket);
    await once(server, 'listening');
    const failure = await FixtureApp.spawn(testbed.options(dataDir)).failed();
    expect(failure).toMatchObject({
      name: 'EmbeddedMongoError',
      message:
        `Another MongoDB already serves ${dataDir}, perhaps in another container. ` +
        'Stop it, or set DATA_DIR to another folder.',
    });
    expect(existsSync(socket)).toBe(true);
    server.close();
    await once(server, 'close');
  });
});

describe('concurrent starts', () => {
  it('should have exactly one winner over the run.json of a killed process', async () => {
    const dataDir = testbed.folder();
    const dead = { pid: 2 ** 22 + 1, startTime: 'long ago' };
    const record = { app: dead, dbPath: path.join(dataDir, 'db') };
    writeFileSync(path.join(dataDir, 'run.json'), JSON.stringify(record));
    const apps = [1, 2, 3, 4].map(() => FixtureApp.spawn(testbed.options(dataDir)));
    const outcomes = await Promise.all(apps.map((app) => app.outcome()));
    const winner = apps[outcomes.findIndex(({ kind }) => kind === 'started')];
    expect(outcomes.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.kind === 'failed') expect(outcome.pid).toBe(winner?.pid);
    }
  });
});

describe('joining', () => {
  it('should use the running mongod, and not stop it', async () => {
    const dataDir = testbed.folder();
    const owner = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(owner.mongo.uri, 'of the owner');
    const joined = await FixtureApp.start(testbed.options(dataDir, { join: true }));
    expect(joined.mongo).toEqual({ ...owner.mongo, joined: true });
    expect(await readNotes(joined.mongo.uri)).toEqual(['of the owner']);
    await joined.kill('SIGTERM');
    expect(joined.exitCode).toBe(0);
    await writeNote(owner.mongo.uri, 'still there');
    expect(await readNotes(owner.mongo.uri)).toEqual(['of the owner', 'still there']);
    expect(existsSync(path.join(dataDir, 'run.json'))).toBe(true);
  });

  it('should wait for an owner that is still starting', async () => {
    const dataDir = testbed.folder();
    const apps = [1, 2, 3].map(() => FixtureApp.spawn(testbed.options(dataDir, { join: true })));
    const started = await Promise.all(apps.map((app) => app.started()));
    expect(started.map(({ joined }) => joined).sort()).toEqual([false, true, true]);
    expect(new Set(started.map(({ mongodPid }) => mongodPid)).size).toBe(1);
    await writeNote(started[0]?.uri ?? '', 'for all');
    for (const { uri } of started) expect(await readNotes(uri)).toEqual(['for all']);
  });

  it('should start a mongod when none runs, and stop it', async () => {
    const dataDir = testbed.folder();
    const alone = await FixtureApp.start(testbed.options(dataDir, { join: true }));
    expect(alone.mongo.joined).toBe(false);
    await alone.kill('SIGTERM');
    expect(isRunning(alone.mongo.mongodPid)).toBe(false);
  });
});

describe('a copy of a folder in use', () => {
  it('should be independent of the original', async () => {
    const dataDir = testbed.folder();
    // A consistent copy of the data, and the run.json of a running owner.
    const before = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(before.mongo.uri, 'copied');
    await before.kill('SIGTERM');
    const copy = `${dataDir}-copy`;
    cpSync(dataDir, copy, { recursive: true });
    const owner = await FixtureApp.start(testbed.options(dataDir));
    cpSync(path.join(dataDir, 'run.json'), path.join(copy, 'run.json'));

    const other = await FixtureApp.start(testbed.options(copy));
    expect(await readNotes(other.mongo.uri)).toEqual(['copied']);
    expect(isRunning(owner.mongo.mongodPid)).toBe(true);
    await writeNote(owner.mongo.uri, 'only here');
    expect(await readNotes(other.mongo.uri)).toEqual(['copied']);
  });
});
