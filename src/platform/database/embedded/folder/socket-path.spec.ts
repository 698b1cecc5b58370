import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isSocketPath, removeSocket } from './socket-path.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(path.join(tmpdir(), 'socket-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

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

describe('removeSocket', () => {
  it('should ignore a path that prepareSocket cannot have returned', async () => {
    const elsewhere = path.join(root, 'm.sock');
    await writeFile(elsewhere, '');
    await removeSocket(path.join(root, 'data'), elsewhere);
    expect(existsSync(elsewhere)).toBe(true);
  });
});
