import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isSocketPath, prepareSocket, removeSocket } from './socket-path.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(path.join(tmpdir(), 'socket-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

describe('isSocketPath', () => {
  it.each([
    ['/srv/pressroom/.data/sock/m.sock', true],
    [`/${'x'.repeat(99)}`, true],
    [`/${'x'.repeat(100)}`, false],
    ['/with a blank/m.sock', false],
    ['/a,b/m.sock', false],
    ['/a:1/m.sock', false],
    ['/a%20/m.sock', false],
    ['/größe/m.sock', false],
  ])('of %s should be %s', (socket, expected) => {
    expect(isSocketPath(socket)).toBe(expected);
  });
});

describe('prepareSocket', () => {
  it('should create a private folder in the data folder', async () => {
    const socket = await prepareSocket(root);
    expect(socket).toBe(path.join(root, 'sock', 'm.sock'));
    expect((await stat(path.dirname(socket))).mode & 0o777).toBe(0o700);
  });

  it('should create and remove a private temporary folder when the path is too long', async () => {
    const long = path.join(root, 'x'.repeat(100));
    const socket = await prepareSocket(long);
    expect(isSocketPath(socket)).toBe(true);
    expect((await stat(path.dirname(socket))).mode & 0o777).toBe(0o700);
    await writeFile(socket, '');
    await removeSocket(long, socket);
    expect(await exists(path.dirname(socket))).toBe(false);
  });
});

describe('removeSocket', () => {
  it('should ignore a path outside of the data folder and of temporary folders', async () => {
    const elsewhere = path.join(root, 'm.sock');
    await writeFile(elsewhere, '');
    await removeSocket(path.join(root, 'data'), elsewhere);
    expect(await exists(elsewhere)).toBe(true);
  });
});
