import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { withBuildLock } from '../../../scripts/build/build-lock.mjs';
import { temporaryFolder } from '../../support/process.js';

/** Appends `begin` and `end` to a file while it has the lock. */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
const [module, lock, log] = process.argv.slice(1);
const { withBuildLock } = await import(module);
withBuildLock(() => {
  appendFileSync(log, 'begin ');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  appendFileSync(log, 'end ');
}, lock);`;

describe('withBuildLock', () => {
  let folder: string;
  let lock: string;
  const MINUTES_11 = 660_000;

  beforeEach(async () => {
    folder = await temporaryFolder();
    lock = join(folder, 'lock');
  });

  it('should let one process work at a time, also after one was killed', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    await writeFile(lock, String(dead.pid));
    const log = join(folder, 'log');
    const args = [
      '--input-type=module',
      '-e',
      PROGRAM,
      resolve('scripts/build/build-lock.mjs'),
      lock,
      log,
    ];
    const children = Array.from({ length: 5 }, () => spawn(process.execPath, args));
    const codes = await Promise.all(children.map((child) => once(child, 'exit')));
    expect(codes.map(([code]) => code as number)).toEqual([0, 0, 0, 0, 0]);
    expect(await readFile(log, 'utf8')).toBe('begin end '.repeat(5));
    expect(await readdir(folder)).toEqual(['log']);
  }, 30_000);

  it.each([
    ['of nobody', '', 0],
    ['of no process', 'x', 0],
    ['of a process that had this id long ago', String(process.pid), MINUTES_11],
  ])('should take over a lock %s', async (_, content, age) => {
    await writeFile(lock, content);
    const since = new Date(Date.now() - age);
    await utimes(lock, since, since);
    expect(withBuildLock(() => existsSync(lock), lock)).toBe(true);
    expect(existsSync(lock)).toBe(false);
  });

  it('should release the lock when the work fails', () => {
    const fail = () => {
      throw new Error('failed');
    };
    expect(() => withBuildLock(fail, lock)).toThrow('failed');
    expect(existsSync(lock)).toBe(false);
  });
});
