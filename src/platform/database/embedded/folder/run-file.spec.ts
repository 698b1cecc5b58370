import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getIdentity, type ProcessIdentity } from '../process/process-facts.js';
import {
  claimRunFile,
  guardOf,
  readRunFile,
  releaseRunFile,
  updateRunFile,
  type RunRecord,
} from './run-file.js';

let root: string;
let file: string;
let ours: RunRecord;
let dead: RunRecord;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'run-file-'));
  file = path.join(root, 'run.json');
  const dbPath = path.join(root, 'db');
  await mkdir(dbPath);
  const app = await getIdentity(process.pid);
  ours = { app, dbPath };
  // The pid of a running process with another start time, as after a reuse of the pid.
  dead = { app: { pid: process.pid, startTime: 'before' }, dbPath };
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('claimRunFile', () => {
  it('should make the first caller the owner and refuse the next', async () => {
    expect(await claimRunFile(file, ours)).toEqual({ isOurs: true, previous: null });
    expect(await claimRunFile(file, ours)).toEqual({ isOurs: false, owner: ours });
    expect(await readdir(root)).toEqual(['db', 'run.json']);
  });

  it('should take over from a killed owner and return its record', async () => {
    await updateRunFile(file, dead);
    expect(await claimRunFile(file, ours)).toEqual({ isOurs: true, previous: dead });
    expect(await readRunFile(file)).toEqual(ours);
    expect(await readdir(root)).toEqual(['db', 'run.json']);
  });

  it.each(['', '{', '[]', 'null', '{"app":{}}', '{"app":{"pid":1}}'])(
    'should take over a damaged file: %j',
    async (text) => {
      await writeFile(file, text);
      expect(await claimRunFile(file, ours)).toMatchObject({ isOurs: true });
      expect(await readRunFile(file)).toEqual(ours);
    },
  );

  it('should have one winner of concurrent claims', async () => {
    await updateRunFile(file, dead);
    const claims = await Promise.all(Array.from({ length: 30 }, () => claimRunFile(file, ours)));
    expect(claims.filter(({ isOurs }) => isOurs)).toHaveLength(1);
    expect(await readdir(root)).toEqual(['db', 'run.json']);
  });

  it('should take over when another process was killed while taking over', async () => {
    await updateRunFile(file, dead);
    const guard = guardOf(file, dead.app);
    await updateRunFile(guard, { ...dead, app: { pid: 0, startTime: 'died too' } });
    expect(await claimRunFile(file, ours)).toEqual({ isOurs: true, previous: dead });
    expect(await readdir(root)).toEqual(['db', 'run.json']);
  });

  it('should ignore an owner that owns only the original of a copied folder', async () => {
    const original = path.join(root, 'original');
    await mkdir(original);
    await updateRunFile(file, { ...ours, dbPath: original });
    expect(await claimRunFile(file, ours)).toMatchObject({ isOurs: true });
  });

  it('should respect an owner that claimed the folder before it was moved', async () => {
    await updateRunFile(file, { ...ours, dbPath: path.join(root, 'its old name') });
    expect(await claimRunFile(file, ours)).toMatchObject({ isOurs: false });
  });
});

describe('releaseRunFile', () => {
  it('should not remove the record of another process', async () => {
    await claimRunFile(file, ours);
    const other: ProcessIdentity = { pid: ours.app.pid, startTime: 'another' };
    await releaseRunFile(file, other);
    expect(await readRunFile(file)).toEqual(ours);
  });
});
