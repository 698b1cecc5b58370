import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { explainFolderError, prepareDataFolder, readDataVersion } from './data-folder.js';

const MEGABYTE = 1024 * 1024;
let root: string;
beforeEach(async () => (root = await realpath(await mkdtemp(path.join(tmpdir(), 'folder-')))));
afterEach(() => rm(root, { recursive: true, force: true }));

const free = (megabytes: number) => () => Promise.resolve(megabytes * MEGABYTE);

describe('prepareDataFolder', () => {
  it('should create a private folder and leave no probe file in it', async () => {
    const folder = await prepareDataFolder(path.join(root, 'new', 'data'));
    expect(folder.dbPath).toBe(path.join(root, 'new', 'data', 'db'));
    expect((await stat(folder.root)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder.root)).toEqual(['db']);
    expect(await readdir(folder.dbPath)).toEqual([]);
  });

  it('should resolve symbolic links', async () => {
    await mkdir(path.join(root, 'real'));
    await symlink(path.join(root, 'real'), path.join(root, 'link'));
    expect((await prepareDataFolder(path.join(root, 'link'))).root).toBe(path.join(root, 'real'));
  });

  it('should require 400 MB for a new database', async () => {
    await expect(prepareDataFolder(root, free(399))).rejects.toThrow('it has only 399 MB free');
    await expect(prepareDataFolder(root, free(400))).resolves.toBeDefined();
  });

  it('should require 64 MB for an existing database', async () => {
    await mkdir(path.join(root, 'db'));
    await writeFile(path.join(root, 'db', 'WiredTiger'), '');
    await expect(prepareDataFolder(root, free(64))).resolves.toBeDefined();
    await expect(prepareDataFolder(root, free(63))).rejects.toThrow('it has only 63 MB free');
  });
});

describe('explainFolderError', () => {
  it.each([
    ['EROFS', 'is on a read-only file system.'],
    ['EPERM', 'cannot be written by this user.'],
    ['EDQUOT', 'is on a disk that is full.'],
    ['ENOTDIR', 'is not a folder.'],
    ['EIO', 'failed: the system says EIO.'],
  ])('should explain %s', (code, words) => {
    const cause = Object.assign(new Error(`the system says ${code}`), { code });
    const error = explainFolderError('/data', cause);
    expect(error.message).toMatch(new RegExp(`^/data ${words}`));
    expect(error.cause).toBe(cause);
  });
});

describe('readDataVersion', () => {
  it.each(['', '{}', 'null', '{"version":6}'])('should be null for %j', async (text) => {
    const folder = await prepareDataFolder(root);
    await writeFile(folder.versionFile, text);
    expect(await readDataVersion(folder)).toBeNull();
  });
});
