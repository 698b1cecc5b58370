import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow } from '../repository/files.js';

const ENDING = /\.(?:e2e-)?spec\.ts$/;
const SPECS = new Set(
  filesBelow('src', 'test').flatMap((path) =>
    ENDING.test(path) ? [basename(path).replace(ENDING, '')] : [],
  ),
);
const SCRIPTS = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts;

/** The names in the column "Test" of the tables, and after "Tests:" in the text. */
function namesOfTests(page: string): string[] {
  const tables = page.split(/\n\n+/).filter((block) => /\| Test \|\n/.test(block));
  const cells = tables.flatMap((table) =>
    table.split('\n').map((row) => row.split(' | ').at(-1) ?? ''),
  );
  const inText = [...page.matchAll(/\bTests: ([^|]+?)\.\n\n/g)].map(([, names = '']) => names);
  const quoted = [...cells, ...inText].flatMap((text) => text.match(/`[^`]+`/g) ?? []);
  return [...new Set(quoted)].map((name) => name.slice(1, -1));
}

/** Whether a test has this name, or this path, which pages use where several tests have the same name. */
function isThere(name: string): boolean {
  if (!name.includes('/')) return SPECS.has(name);
  return ['.e2e-spec.ts', '.spec.ts'].some((ending) => existsSync(name + ending));
}

describe.each([
  ['docs/security.md', 90],
  ['docs/asvs.md', 60],
])('%s', (path, count) => {
  const page = readFileSync(path, 'utf8');

  it('should name only tests that exist', () => {
    const names = namesOfTests(page).filter((name) => !name.startsWith('npm run '));
    expect(names.length).toBeGreaterThan(count);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });

  it('should name only scripts that exist', () => {
    const names = [...page.matchAll(/`npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !Object.hasOwn(SCRIPTS, name))).toEqual([]);
  });
});
