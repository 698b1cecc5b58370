import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

/** Package, lowest version without a known vulnerability or defect, and the package that uses it. */
const MINIMUM_VERSIONS = [
  ['mongoose', '9.9.2', 'pressroom'],
  ['mongodb', '7.8.0', 'mongoose'],
  ['fastify', '5.12.6', 'pressroom'],
  ['fastify', '5.12.6', '@nestjs/platform-fastify'],
  ['sanitize-html', '2.17.7', 'pressroom'],
] as const;

const ROOT = join(SOURCES, '..');
const MANIFEST = readJson(join(ROOT, 'package.json')) as Record<string, Record<string, string>>;
const { packages: LOCKED } = readJson(join(ROOT, 'package-lock.json')) as {
  packages: Record<string, LockedPackage>;
};

/** The entry of a package in package-lock.json. */
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Development packages with an install script, and the purpose of the script. */
const INSTALL_SCRIPTS = {
  '@parcel/watcher': 'compiles the package on request; its builds are in separate packages',
  'mongodb-memory-server': 'fetches a mongod; switched off, because the tests find one themselves',
  node: 'installs the Node 24 that runs the scripts',
  'unrs-resolver': 'checks the build for the platform, which is in a separate package',
};

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

describe('The dependencies', () => {
  it.each(MINIMUM_VERSIONS)('should include %s %s or newer for %s', (name, minimum, user) => {
    // npm may install a separate version in the folder of the package that uses it.
    const locked =
      LOCKED[`node_modules/${user}/node_modules/${name}`] ?? LOCKED[`node_modules/${name}`];
    const { version = 'none' } = locked ?? {};
    const isNewEnough = version.localeCompare(minimum, 'en', { numeric: true }) >= 0;
    // A pre-release is older than the release with the same numbers.
    expect([version, isNewEnough && /^[\d.]+$/.test(version)]).toEqual([version, true]);
  });

  it('should be pinned to exact versions', () => {
    const { dependencies, optionalDependencies, devDependencies } = MANIFEST;
    // @types/node only has to match the major version of Node.
    const { '@types/node': _, ...pinned } = {
      ...dependencies,
      ...optionalDependencies,
      ...devDependencies,
    };
    // A package in `vendor` exists in one version only.
    const loose = Object.entries(pinned).filter(
      ([, version]) => !/^(\d+\.\d+\.\d+$|file:vendor\/)/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('should not get the option timeoutMS, with which the driver may skip checks of its own', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
    expect(sources.length).toBeGreaterThan(100);
    const filesWithOption = sources.filter((file) =>
      /\btimeoutMS\b/.test(readFileSync(join(SOURCES, file), 'utf8')),
    );
    expect(filesWithOption).toEqual([]);
  });
});

describe('Install scripts', () => {
  const withScript = Object.entries(LOCKED).filter(([, { hasInstallScript }]) => hasInstallScript);
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

  // npm 10 ignores `allowScripts` and runs every install script.
  it('should be in no package of a production install', () => {
    expect(Object.keys(LOCKED).length).toBeGreaterThan(500);
    const inProduction = withScript.filter(([, { dev }]) => dev !== true);
    expect(inProduction.map(([path]) => path)).toEqual([]);
  });

  it('should be only in the development packages that INSTALL_SCRIPTS lists', () => {
    const names = withScript.map(([path]) => nameOf(path));
    expect(names.toSorted()).toEqual(Object.keys(INSTALL_SCRIPTS).toSorted());
    expect(Object.keys(MANIFEST['allowScripts'] ?? {}).toSorted()).toEqual(names.toSorted());
  });

  it('should not be in the empty package that replaces @scarf/scarf', () => {
    expect(LOCKED['node_modules/@scarf/scarf']).toEqual({
      resolved: 'vendor/empty-package',
      link: true,
    });
    const folder = join(ROOT, 'vendor/empty-package');
    expect(readdirSync(folder)).toEqual(['package.json']);
    expect(readJson(join(folder, 'package.json'))).not.toHaveProperty('scripts');
  });
});

describe('The native bcrypt', () => {
  // If npm cannot find a build, it omits the build from the lock file, and `npm ci` then installs none.
  it.each([
    'linux-x64-gnu',
    'linux-x64-musl',
    'linux-arm64-gnu',
    'linux-arm64-musl',
    'darwin-arm64',
  ])('should have a build in the lock file for %s and for every other platform', (platform) => {
    const native = LOCKED['node_modules/@node-rs/bcrypt'];
    const builds = Object.entries(native?.optionalDependencies ?? {});
    expect(builds.map(([name]) => name)).toContain(`@node-rs/bcrypt-${platform}`);
    for (const [name, version] of builds) {
      expect(LOCKED[`node_modules/${name}`]).toMatchObject({ version, optional: true });
    }
  });
});
