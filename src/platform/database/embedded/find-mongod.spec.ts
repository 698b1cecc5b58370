import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findMongod, type FindMongodOptions, type MongodDownload } from './find-mongod.js';
import { MongodNotFoundError } from './mongod-not-found.error.js';

let root: string;
let cacheDir: string;
let lines: string[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'find-mongod-'));
  cacheDir = path.join(root, 'cache');
  lines = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Writes a script that prints the version as `mongod --version` does. */
async function putMongod(folder: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'mongod');
  await writeFile(file, `#!/bin/sh\necho 'db version v${version}'\n`, { mode: 0o755 });
  return file;
}

function download(version: string, name = `download of ${version}`): MongodDownload {
  const series = version.split('.').slice(0, 2).join('.');
  return { name, series, fetch: (dir) => putMongod(path.join(dir, 'bin'), version) };
}

const failing: MongodDownload = {
  name: 'a dead host',
  series: '8.2',
  fetch: () => Promise.reject(new Error('cannot reach it.\nReally not.')),
};

function find(more: Partial<FindMongodOptions> = {}) {
  return findMongod({ cacheDir, downloads: [], log: (line) => lines.push(line), ...more });
}

async function reasonsOf(search: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await search.catch((reason: unknown) => reason);
  if (!(error instanceof MongodNotFoundError)) throw error;
  return error.sources.map(({ name, reason }) => `${name}: ${reason}`);
}

describe('findMongod', () => {
  it('should prefer MONGOMS_SYSTEM_BINARY', async () => {
    const systemBinary = await putMongod(path.join(root, 'system'), '7.0.1');
    await putMongod(path.join(root, 'bin'), '8.0.1');
    const found = await find({ systemBinary, path: path.join(root, 'bin') });
    expect(found).toEqual({ path: systemBinary, version: '7.0.1' });
  });

  it('should log an unusable MONGOMS_SYSTEM_BINARY and continue', async () => {
    const onPath = await putMongod(path.join(root, 'bin'), '8.0.1');
    const systemBinary = path.join(root, 'nothing');
    const found = await find({ systemBinary, path: path.join(root, 'bin') });
    expect(found.path).toBe(onPath);
    expect(lines).toEqual([
      `MONGOMS_SYSTEM_BINARY is not used: ${systemBinary} does not run (no such file).`,
    ]);
  });

  it('should use the first mongod on the PATH that is 6.0 or newer', async () => {
    await putMongod(path.join(root, 'old'), '5.0.30');
    const good = await putMongod(path.join(root, 'good'), '6.0.0');
    await putMongod(path.join(root, 'later'), '8.0.1');
    const folders = ['absent', 'old', 'good', 'later'].map((name) => path.join(root, name));
    expect(await find({ path: folders.join(path.delimiter) })).toEqual({
      path: good,
      version: '6.0.0',
    });
  });

  it('should use the cache after a download', async () => {
    const first = await find({ downloads: [failing, download('6.0.5')] });
    expect(first).toEqual({
      path: path.join(cacheDir, `6.0.5-${process.arch}`, 'mongod'),
      version: '6.0.5',
    });
    expect(await find()).toEqual(first);
    expect(await readdir(cacheDir)).toEqual([`6.0.5-${process.arch}`]);
  });

  it('should prefer the PATH to the cache', async () => {
    await find({ downloads: [download('6.0.5')] });
    const onPath = await putMongod(path.join(root, 'bin'), '6.0.1');
    expect((await find({ path: path.join(root, 'bin') })).path).toBe(onPath);
  });

  it('should use the newest cached version', async () => {
    for (const [version, series] of [
      ['6.0.5', '6.0'],
      ['10.0.1', '10.0'],
      ['8.0.1', '8.0'],
    ] as const) {
      await find({ downloads: [download(version)], series });
    }
    expect((await find()).version).toBe('10.0.1');
  });

  it('should not use a cached binary that was modified', async () => {
    const { path: cached } = await find({ downloads: [download('6.0.5')] });
    await writeFile(cached, '#!/bin/sh\necho "db version v6.0.5"; echo hacked\n');
    expect(await reasonsOf(find())).toContain(`the cache ${cacheDir}: what it holds is damaged`);
    expect(lines).toEqual([`The cached mongod in ${path.dirname(cached)} is damaged: not used.`]);

    await find({ downloads: [download('6.0.5')] });
    expect(await readFile(cached, 'utf8')).not.toContain('hacked');
    expect((await find()).path).toBe(cached);
  });

  it.each(['', '{', '{}', '{"version":"6.0.5"}'])(
    'should not use a cached binary whose manifest is %j',
    async (manifest) => {
      const { path: cached } = await find({ downloads: [download('6.0.5')] });
      await writeFile(path.join(path.dirname(cached), 'manifest.json'), manifest);
      await expect(find()).rejects.toThrow(MongodNotFoundError);
    },
  );

  it('should store one valid entry after concurrent downloads', async () => {
    const searches = Array.from({ length: 12 }, () => find({ downloads: [download('6.0.5')] }));
    const found = await Promise.all(searches);
    expect(new Set(found.map((one) => one.path)).size).toBe(1);
    expect(await find()).toEqual(found[0]);
    expect(await readdir(cacheDir)).toEqual([`6.0.5-${process.arch}`]);
  });

  it('should not cache a binary that does not run', async () => {
    const broken: MongodDownload = {
      name: 'broken',
      series: '6.0',
      fetch: async (dir) => {
        const file = path.join(dir, 'mongod');
        await writeFile(file, '#!/bin/sh\necho "libcrypto is missing" >&2; exit 127\n', {
          mode: 0o755,
        });
        return file;
      },
    };
    const reasons = await reasonsOf(find({ downloads: [broken] }));
    expect(reasons.at(-1)).toMatch(/^broken: .*\/mongod does not run \(libcrypto is missing\)$/);
    expect(await readdir(cacheDir)).toEqual([]);
  });

  it('should use only the series that the data needs', async () => {
    const systemBinary = await putMongod(path.join(root, 'system'), '8.0.1');
    await putMongod(path.join(root, 'bin'), '7.0.1');
    const found = await find({
      systemBinary,
      path: path.join(root, 'bin'),
      downloads: [download('8.2.6'), download('6.0.5')],
      series: '6.0',
    });
    expect(found.version).toBe('6.0.5');
  });

  it('should list each failure with its reason, and what to do', async () => {
    const old = await putMongod(path.join(root, 'bin'), '4.4.29');
    const search = find({ path: path.join(root, 'bin'), downloads: [failing] });
    await expect(search).rejects.toThrow(
      [
        'No usable mongod 6.0 or newer was found for the embedded MongoDB. Tried, in this order:',
        '  1. MONGOMS_SYSTEM_BINARY: not set',
        `  2. mongod on the PATH: ${old}: it is 4.4.29, older than 6.0`,
        `  3. the cache ${cacheDir}: it holds none that fits`,
        '  4. a dead host: cannot reach it. Really not',
        'Any one of these helps:',
        '  - set MONGODB_URI to a MongoDB that is already running (a replica set is recommended);',
        '  - install mongod 6.0 or newer so that it is on the PATH, or set MONGOMS_SYSTEM_BINARY to its path;',
        '  - start again with a network connection (on Linux with python3 and pip, too).',
      ].join('\n'),
    );
  });

  it('should name the series that the data needs', async () => {
    const systemBinary = await putMongod(path.join(root, 'system'), '8.0.1');
    const search = find({ systemBinary, series: '6.0', downloads: [download('8.2.6')] });
    expect(await reasonsOf(search)).toEqual([
      'MONGOMS_SYSTEM_BINARY: it is 8.0.1, the data needs 6.0',
      'mongod on the PATH: there is none',
      `the cache ${cacheDir}: it holds none that fits`,
      'download of 8.2.6: it brings 8.2, the data needs 6.0',
    ]);
  });
});
