import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FixtureApp } from './fixture/fixture-app.js';
import { readNotes, writeNote } from './fixture/notes.js';
import { isRunning } from './fixture/processes.js';
import { Testbed } from './fixture/testbed.js';

jest.setTimeout(60_000);

describe('a data folder', () => {
  const testbed = new Testbed();
  beforeAll(() => testbed.prepare(), 300_000);
  afterEach(() => testbed.clear());
  afterAll(() => testbed.remove());

  it('should be refused to a second start, but shared with a start that joins', async () => {
    const dataDir = testbed.folder();
    const owner = await FixtureApp.start(testbed.options(dataDir, { join: true }));
    expect(owner.mongo.joined).toBe(false);
    await writeNote(owner.mongo.uri, 'of the owner');

    const second = FixtureApp.spawn(testbed.options(dataDir));
    const { name, message, pid } = await second.failed();
    expect({ name, pid }).toEqual({ name: 'EmbeddedMongoInUseError', pid: owner.pid });
    expect(message).toBe(
      `${dataDir} is in use: the Pressroom process ${owner.pid} keeps its embedded MongoDB there. ` +
        'Stop that process first, or set DATA_DIR to another folder.',
    );
    await second.ended();

    const joined = await FixtureApp.start(testbed.options(dataDir, { join: true }));
    expect(joined.mongo).toEqual({ ...owner.mongo, joined: true });
    expect(await readNotes(joined.mongo.uri)).toEqual(['of the owner']);
    await joined.kill('SIGTERM');
    expect(joined.exitCode).toBe(0);
    await writeNote(owner.mongo.uri, 'still there');
    expect(await readNotes(owner.mongo.uri)).toEqual(['of the owner', 'still there']);
    expect(existsSync(path.join(dataDir, 'run.json'))).toBe(true);

    await owner.kill('SIGTERM');
    expect(isRunning(owner.mongo.mongodPid)).toBe(false);
  });

  it('should be independent of its copy, even if the copy has the run.json of a running owner', async () => {
    const dataDir = testbed.folder();
    // The copy gets consistent data, and the run.json of a running owner.
    const before = await FixtureApp.start(testbed.options(dataDir));
    await writeNote(before.mongo.uri, 'copied');
    await before.kill('SIGTERM');
    const copy = `${dataDir}-copy`;
    cpSync(dataDir, copy, { recursive: true });
    const owner = await FixtureApp.start(testbed.options(dataDir));
    cpSync(path.join(dataDir, 'run.json'), path.join(copy, 'run.json'));

    const other = await FixtureApp.start(testbed.options(copy));
    expect(isRunning(owner.mongo.mongodPid)).toBe(true);
    await writeNote(owner.mongo.uri, 'only here');
    expect(await readNotes(other.mongo.uri)).toEqual(['copied']);
  });

  it('should be refused while a mongod without a visible owner listens on its socket', async () => {
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

  it('should have one owner after concurrent starts that find the run.json of a killed process', async () => {
    const dataDir = testbed.folder();
    const dead = { pid: 2 ** 22 + 1, startTime: 'long ago' };
    const record = { app: dead, dbPath: path.join(dataDir, 'db') };
    writeFileSync(path.join(dataDir, 'run.json'), JSON.stringify(record));
    const spawn = (join: boolean) => FixtureApp.spawn(testbed.options(dataDir, { join }));
    const apps = [spawn(false), spawn(true), spawn(false), spawn(true)];
    const outcomes = await Promise.all(apps.map((app) => app.outcome()));
    const ownerFlags = outcomes.map((outcome) => outcome.kind === 'started' && !outcome.joined);
    expect(ownerFlags.filter(Boolean)).toHaveLength(1);
    const owner = apps[ownerFlags.indexOf(true)];
    const pids = new Set<number>();
    for (const outcome of outcomes) {
      if (outcome.kind === 'failed') expect(outcome.pid).toBe(owner?.pid);
      else pids.add(outcome.mongodPid);
    }
    expect(pids.size).toBe(1);
    // The second and the fourth app may join a database that runs, so they never fail.
    expect([outcomes[1]?.kind, outcomes[3]?.kind]).toEqual(['started', 'started']);
  });
});
