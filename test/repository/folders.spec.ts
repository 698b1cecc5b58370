import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, filesByFolder, ROOT } from './files.js';

const MAX_FILES = 10;
const MAX_LINES = 250;
/** How many folders `src` may hold directly. */
const MAX_TOP_FOLDERS = 15;

const PATHS = filesBelow('src', 'test', 'scripts', 'bench');
const FOLDERS = filesByFolder(PATHS);

/** Whether `src` has a folder of the same path. Such a folder of tests may hold one file. */
function mirrorsSource(folder: string): boolean {
  return folder.startsWith('test/') && existsSync(join(ROOT, folder.replace('test', 'src')));
}

/** Counts lines as ESLint's max-lines does in TypeScript: without comments and blank lines. */
function linesOfPython(path: string): number {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  return lines.filter((line) => !/^\s*(#|$)/.test(line)).length;
}

describe('folders of the repository', () => {
  it('should hold ten files at most', () => {
    const full = [...FOLDERS].filter(([, files]) => files.length > MAX_FILES);
    expect(full.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });

  it('should hold more than one file, or folders of their own', () => {
    const folders = [...FOLDERS.keys()];
    const single = [...FOLDERS].filter(
      ([folder, files]) =>
        files.length === 1 &&
        !folders.some((other) => other.startsWith(`${folder}/`)) &&
        !mirrorsSource(folder),
    );
    expect(single.map(([, files]) => files[0])).toEqual([]);
  });

  it('should hold no long Python file, which ESLint would not report', () => {
    const python = PATHS.filter((path) => path.endsWith('.py'));
    expect(python.length).toBeGreaterThan(0);
    expect(python.filter((path) => linesOfPython(path) > MAX_LINES)).toEqual([]);
  });

  it('should match the map of CONTRIBUTING.md, which names all top folders of src, 15 at most', () => {
    const [, map = ''] = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split('## Where');
    const named = new Set(map.match(/\b(?:src|test)\/[\w-]+(?=[\s,])/g));
    for (const folder of named)
      expect([folder, existsSync(join(ROOT, folder))]).toEqual([folder, true]);
    const top = new Set(PATHS.flatMap((path) => /^src\/[\w-]+(?=\/)/.exec(path) ?? []));
    expect([...top].filter((folder) => !named.has(folder))).toEqual([]);
    expect(top.size).toBeLessThanOrEqual(MAX_TOP_FOLDERS);
  });
});
