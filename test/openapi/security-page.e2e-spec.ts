import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync('docs/security.md', 'utf8');

/** A name may leave out what all specs end in. */
const ENDINGS = ['', '.e2e-spec.ts', '.spec.ts', '.ts'];

/** `npm run name` and `npm test` in backticks. */
const SCRIPTS = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts;

function quoted(pattern: RegExp): string[] {
  return [...new Set([...PAGE.matchAll(pattern)].map(([, name = '']) => name))];
}

describe('docs/security.md', () => {
  it('should name only files that are there', () => {
    const names = quoted(/`((?:test|src|bench|scripts)\/[\w./-]+)`/g);
    expect(names.length).toBeGreaterThan(50);
    const missing = names.filter((name) => !ENDINGS.some((ending) => existsSync(name + ending)));
    expect(missing).toEqual([]);
  });

  it('should name only scripts that are there', () => {
    const names = quoted(/`npm run ([\w:-]+)/g);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !Object.hasOwn(SCRIPTS, name))).toEqual([]);
  });
});
