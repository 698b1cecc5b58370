import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readOrCreateSecret, readSecret } from './data-dir.js';
import { OperatorError } from './operator.error.js';

describe('readOrCreateSecret', () => {
  let parent: string;
  let folder: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'pressroom-data-'));
    folder = join(parent, 'data');
  });

  afterEach(async () => {
    await chmod(parent, 0o700);
    await rm(parent, { recursive: true, force: true });
  });

  const make = (text: string) => (): Promise<string> => Promise.resolve(text);

  it('should create a secret once and read it afterwards', async () => {
    expect(await readOrCreateSecret(folder, 'key', make('first'))).toEqual({
      text: 'first',
      created: true,
    });
    expect(await readOrCreateSecret(folder, 'key', make('second'))).toEqual({
      text: 'first',
      created: false,
    });
  });

  it('should make the file readable by its owner only, and leave no temporary file', async () => {
    await readOrCreateSecret(folder, 'key', make('first'));
    expect((await stat(join(folder, 'key'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(['key']);
  });

  it('should return the same secret to concurrent callers', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        readOrCreateSecret(folder, 'key', make(`made by ${index}`)),
      ),
    );
    expect(new Set(results.map(({ text }) => text)).size).toBe(1);
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['key']);
    expect(await readFile(join(folder, 'key'), 'utf8')).toBe(results[0]?.text);
  });

  it('should say what to do when the folder cannot be made', async () => {
    await writeFile(folder, 'a file where the folder should be');
    await expect(readOrCreateSecret(folder, 'key', make('x'))).rejects.toThrow(
      /cannot be read or written .*DATA_DIR/s,
    );
  });

  it('should say what to do when a folder or a link to nothing has the name of the file', async () => {
    await mkdir(join(folder, 'key'), { recursive: true });
    await expect(readSecret(folder, 'key')).rejects.toThrow(OperatorError);
    await symlink('/nowhere/at/all', join(folder, 'link'));
    for (const name of ['key', 'link']) {
      await expect(readOrCreateSecret(folder, name, make('x'))).rejects.toThrow(OperatorError);
    }
  });

  it('should leave no file when the secret cannot be created', async () => {
    const fail = (): Promise<string> => Promise.reject(new Error('no entropy'));
    await expect(readOrCreateSecret(folder, 'key', fail)).rejects.toThrow('no entropy');
    expect(await readdir(folder)).toEqual([]);
  });
});
