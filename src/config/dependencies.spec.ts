import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Versions below these have a known hole or defect; `mongodb` is the one that Mongoose uses. */
const FLOORS = [
  ['mongoose', '9.9.2', null],
  ['mongodb', '7.8.0', 'mongoose'],
  ['fastify', '5.12.6', null],
  ['fastify', '5.12.6', '@nestjs/platform-fastify'],
  ['sanitize-html', '2.17.7', null],
] as const;

/** @param user the package whose copy is meant; our own when null */
function installedVersion(name: string, user: string | null): string {
  const from = user === null ? require : createRequire(require.resolve(user));
  // Not every package exports its package.json, so it is looked for above its entry.
  let folder = fileURLToPath(new URL('.', `file://${from.resolve(name)}`));
  for (;;) {
    const manifest = readManifest(join(folder, 'package.json'));
    if (manifest?.name === name && manifest.version) return manifest.version;
    const parent = join(folder, '..');
    if (parent === folder) throw new Error(`${name} is not installed`);
    folder = parent;
  }
}

function readManifest(path: string): { name?: string; version?: string } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string };
  } catch {
    return null;
  }
}

function isAtLeast(version: string, floor: string): boolean {
  const [given, least] = [version, floor].map((text) =>
    text.split('.').map((part) => parseInt(part, 10)),
  );
  for (const [index, part] of (least ?? []).entries()) {
    const own = given?.[index] ?? 0;
    if (own !== part) return own > part;
  }
  // A pre-release comes before the release of its number.
  return !version.includes('-');
}

describe('Security floors', () => {
  it.each(FLOORS)('should be met by %s %s (of %s)', (name, floor, user) => {
    const version = installedVersion(name, user);
    expect([name, version, isAtLeast(version, floor)]).toEqual([name, version, true]);
  });

  it.each([
    ['7.8.0', '7.8.0', true],
    ['7.10.0', '7.8.0', true],
    ['8.0.0', '7.8.0', true],
    ['7.8.1-beta.1', '7.8.0', true],
    ['7.7.9', '7.8.0', false],
    ['6.99.99', '7.8.0', false],
    ['7.8.0-rc.1', '7.8.0', false],
  ])('should compare %s with %s as numbers', (version, floor, expected) => {
    expect(isAtLeast(version, floor)).toBe(expected);
  });

  it('should be pinned exactly, so that no install takes an older one', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(SOURCES, '../package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    // The types follow the major version of Node alone.
    const { '@types/node': _, ...pinned } = { ...dependencies, ...devDependencies };
    const loose = Object.entries(pinned).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
    expect(loose).toEqual([]);
  });

  it('should not be undone by timeoutMS, with which the driver may skip its own checks', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
    expect(sources.length).toBeGreaterThan(100);
    const users = sources.filter((file) =>
      /\btimeoutMS\b/.test(readFileSync(join(SOURCES, file), 'utf8')),
    );
    expect(users).toEqual([]);
  });
});
