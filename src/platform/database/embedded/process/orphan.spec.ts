import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { endOrphan, opensDatabase } from './orphan.js';
import { findProcess } from './process-facts.js';

let dbPath: string;
let children: ChildProcess[];
let lines: string[];

beforeEach(async () => {
  dbPath = path.join(await realpath(await mkdtemp(path.join(tmpdir(), 'orphan-'))), 'db');
  await mkdir(dbPath);
  children = [];
  lines = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(path.dirname(dbPath), { recursive: true, force: true });
});

/** Starts a process with this command line. */
async function startProcess(...args: string[]): Promise<number> {
  const child = spawn('sh', ['-c', 'while :; do sleep 1; done', 'mongod', ...args], {
    stdio: 'ignore',
  });
  children.push(child);
  await once(child, 'spawn');
  return child.pid ?? 0;
}

const end = (previous: Parameters<typeof endOrphan>[1]) =>
  endOrphan(dbPath, previous, (line) => lines.push(line));

const lock = (pid: number) => writeFile(path.join(dbPath, 'mongod.lock'), `${pid}\n`);

describe('endOrphan', () => {
  it('should not end another process that has reused the pid', async () => {
    const pid = await startProcess('--something', 'else');
    await lock(pid);
    await end({
      app: { pid: 1, startTime: '' },
      dbPath,
      mongod: { pid, startTime: '', binary: '', version: '', socket: '', isReady: true },
    });
    expect(await findProcess(pid)).not.toBeNull();
  });

  it('should not end the mongod of another database', async () => {
    const pid = await startProcess('--dbpath', `${dbPath}-2`);
    await lock(pid);
    await end(null);
    expect(await findProcess(pid)).not.toBeNull();
  });

  it('should end the recorded mongod of a moved folder, but only with the recorded start time', async () => {
    const formerPath = `${dbPath}-before`;
    const pid = await startProcess('--dbpath', formerPath);
    const facts = await findProcess(pid);
    const mongod = { pid, startTime: facts?.startTime ?? '' };
    const otherFields = { binary: '', version: '', socket: '', isReady: true };
    const record = { app: { pid: 1, startTime: '' }, dbPath: formerPath };
    await end({ ...record, mongod: { ...mongod, startTime: 'another', ...otherFields } });
    expect(await findProcess(pid)).not.toBeNull();
    expect(lines).toEqual([]);
    await end({ ...record, mongod: { ...mongod, ...otherFields } });
    expect(await findProcess(pid)).toBeNull();
    expect(lines).toEqual([`Ending the MongoDB (pid ${pid}) that an earlier start left behind.`]);
  });
});

describe('opensDatabase', () => {
  it.each([
    [['mongod', '--dbpath', '/a/db', '--replSet', 'x'], '/a/db', true],
    [['mongod', '--dbpath', '/a', 'b/db'], '/a b/db', true],
    [['mongod', '--dbpath', '/a/db2'], '/a/db', false],
    [['mongod', '--dbpath', '/b/a/db'], '/a/db', false],
    [['vi', '/a/db'], '/a/db', false],
  ])('of %j for %s should be %s', (command, folder, expected) => {
    expect(opensDatabase(command, folder)).toBe(expected);
  });
});
