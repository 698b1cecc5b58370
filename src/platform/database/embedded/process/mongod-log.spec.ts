import { appendFile, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cutLog, logSize, readLogTail, rotateLog } from './mongod-log.js';

let root: string;
let file: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'log-'));
  file = path.join(root, 'mongod.log');
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('rotateLog', () => {
  it('should do nothing if the log is missing or small', async () => {
    await rotateLog(file, 10);
    await writeFile(file, '0123456789');
    await rotateLog(file, 10);
    expect(await readdir(root)).toEqual(['mongod.log']);
  });

  it('should keep only the latest of the renamed logs', async () => {
    for (const text of ['the first log', 'the second log']) {
      await writeFile(file, text);
      await rotateLog(file, 10);
    }
    expect(await readdir(root)).toEqual(['mongod.log.1']);
    expect(await readFile(`${file}.1`, 'utf8')).toBe('the second log');
  });
});

describe('cutLog', () => {
  it('should truncate a large log that is open for appending', async () => {
    const writer = await open(file, 'a');
    await writer.write('0123456789 and more');
    await cutLog(file, 10);
    expect(await logSize(file)).toBe(0);
    await writer.write('goes on');
    await writer.close();
    expect(await readFile(file, 'utf8')).toBe('goes on');
    expect(await readFile(`${file}.1`, 'utf8')).toBe('0123456789 and more');
  });
});

describe('readLogTail', () => {
  it('should begin at the offset', async () => {
    await writeFile(file, 'before ');
    const size = await logSize(file);
    await appendFile(file, 'after');
    expect(await readLogTail(file, size)).toBe('after');
  });

  it('should return at most 256 KB, and nothing without a log or beyond its end', async () => {
    expect(await readLogTail(file)).toBe('');
    await writeFile(file, 'x'.repeat(300 * 1024));
    expect(await readLogTail(file)).toHaveLength(256 * 1024);
    expect(await readLogTail(file, 10 ** 9)).toBe('');
  });
});
