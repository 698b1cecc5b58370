import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fillDisk } from './fixture/small-disk.js';
import { makeReadOnly, tryMountDisk } from './fixture/disks.js';
import { FixtureApp } from './fixture/fixture-app.js';
import { readNotes, withClient, writeNote } from './fixture/notes.js';
import { commandsNaming } from './fixture/processes.js';
import { Testbed } from './fixture/testbed.js';
import { until } from '../../../support/time/wait.js';

const testbed = new Testbed();
beforeAll(() => testbed.prepare(), 300_000);
afterEach(() => testbed.clear());
afterAll(() => testbed.remove());

describe('a folder that cannot be written', () => {
  it.each(['not there yet', 'with data in it'])(
    'should be refused on a read-only disk when it is %s',
    async (state) => {
      const disk = testbed.folder();
      const dataDir = state === 'not there yet' ? path.join(disk, 'some', 'where') : disk;
      tryMountDisk(disk, 500);
      if (state === 'with data in it') await storeOneNote(dataDir);
      const user = makeReadOnly(disk);
      const failure = await FixtureApp.spawn(testbed.options(dataDir), user).failed();
      expect(failure.name).toBe('EmbeddedMongoError');
      // If this user may not mount, the test removes permissions instead, and the second message comes.
      expect(failure.message).toMatch(
        /is on a read-only file system|cannot be written by this user/,
      );
      expect(failure.message).toContain('or set DATA_DIR to a folder that can be written.');
      expect(failure.message).toContain(dataDir);
    },
  );
});

describe('a full disk', () => {
  it('should be reported as the reason when mongod ends, and lose no acknowledged write', async () => {
    const dataDir = testbed.folder();
    // The journal takes 300 MB at once. After the outage, recovery needs more than 150 MB beside it: another
    // file of the journal, and each note again, as a document and in the oplog.
    const isMounted = tryMountDisk(dataDir, 1_200);
    const app = await FixtureApp.start(testbed.options(dataDir));
    const written = ['0000'];
    await writeNote(app.mongo.uri, '0000');
    const filler = path.join(dataDir, 'filler');
    if (isMounted) {
      // mongod refuses writes at once, but ends at its next checkpoint, by default once a minute.
      await withClient(app.mongo.uri, (client) =>
        client.db('admin').command({ setParameter: 1, syncdelay: 1 }),
      );
      fillDisk(filler);
      written.push(...(await writeUntilRefused(app.mongo.uri)));
    } else {
      // Where this user may not mount, mongod's message and SIGABRT on a full disk are simulated.
      appendFileSync(path.join(dataDir, 'mongod.log'), 'No space left on device\n');
      process.kill(app.mongo.mongodPid, 'SIGABRT');
    }
    const { line } = await until('the end of mongod', () =>
      app.messages.find((message) => message.kind === 'error'),
    );
    expect(line).toMatch(
      /the disk of .* is full\. Free some space, .* MongoDB is started again in/,
    );
    await app.kill('SIGTERM');
    rmSync(filler, { force: true });

    const next = await FixtureApp.start(testbed.options(dataDir));
    const kept = (await readNotes(next.mongo.uri)).map((text) => text.slice(0, 4));
    expect(kept).toEqual(expect.arrayContaining(written));
  });
});

describe('data of another version', () => {
  it('should be refused with the version that it needs', async () => {
    const dataDir = testbed.folder();
    writeFileSync(path.join(dataDir, 'data-version.json'), '{"version":"8.0.4"}\n');
    const failure = await FixtureApp.spawn(testbed.options(dataDir)).failed();
    expect(failure.name).toBe('MongodNotFoundError');
    expect(failure.message).toContain('the data needs 8.0');
    expect(failure.message).toContain('the data in this folder was written by MongoDB 8.0');
    expect(existsSync(path.join(dataDir, 'run.json'))).toBe(false);
  });
});

describe('a mongod that does not start', () => {
  it('should be reported with its last error, and leave no process', async () => {
    const dataDir = testbed.folder();
    const systemBinary = testbed.fakeMongod('6.0.5', 'echo "something is broken"; exit 3');
    const failure = await FixtureApp.spawn(testbed.options(dataDir, { systemBinary })).failed();
    expect(failure).toMatchObject({
      name: 'EmbeddedMongoError',
      message:
        'MongoDB ended (exit code 3): something is broken. No acknowledged write is lost. ' +
        `Its log is ${dataDir}/mongod.log. Then start again.`,
    });
    expect(existsSync(path.join(dataDir, 'run.json'))).toBe(false);
    expect(commandsNaming(`${dataDir}/db`)).toEqual([]);
  });

  it('should be ended when it is not ready in time', async () => {
    const dataDir = testbed.folder();
    const systemBinary = testbed.fakeMongod('6.0.5', 'exec sleep 1000');
    const options = testbed.options(dataDir, { systemBinary, startTimeoutMs: 500 });
    const failure = await FixtureApp.spawn(options).failed();
    expect(failure.message).toContain('MongoDB did not become ready within 0.5 s');
    await until('the end of all processes', () => commandsNaming(dataDir).length === 0);
  });

  it('should not be started on Windows, and the error should name the alternatives', async () => {
    const failure = await FixtureApp.spawn(
      testbed.options(testbed.folder(), { platform: 'win32' }),
    ).failed();
    expect(failure.name).toBe('EmbeddedMongoError');
    expect(failure.message).toContain('Run Pressroom inside WSL, or set MONGODB_URI');
  });
});

/** Starts an app on the folder, writes a note and stops the app. */
async function storeOneNote(dataDir: string): Promise<void> {
  const app = await FixtureApp.start(testbed.options(dataDir));
  await writeNote(app.mongo.uri, 'kept');
  await app.kill('SIGTERM');
}

/** Writes numbered notes of 200 KB until a write fails. @returns the acknowledged numbers */
function writeUntilRefused(uri: string): Promise<string[]> {
  return withClient(uri, async (client) => {
    const written: string[] = [];
    for (let count = 1; ; count += 1) {
      const number = String(count).padStart(4, '0');
      const text = `${number} ${randomBytes(100_000).toString('hex')}`;
      try {
        await client.db().collection('notes').insertOne({ text });
      } catch {
        return written;
      }
      written.push(number);
    }
  });
}
