import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { SAMPLE_ARTICLES } from '../../scripts/support/articles.ts';
import { startOwnServer } from '../../scripts/support/own-server.ts';
import { table } from '../../scripts/support/table.ts';
import { atEnd, ownFolder, ownProcess, runProgram, valuesOf } from '../support/program.ts';

const USAGE = `npm run bench:archive -- [--count N] [--text-bytes N]

How long export, import, backup and restore take, and how much memory each needs at most: of embedded databases,
with the search words of all articles. The drill of a restore: the last line says when the restored server is ready.

  --count N       articles, default 100,000
  --text-bytes N  of the text of each, default 4,000`;

const PROGRAM = fileURLToPath(new URL('../../bin/pressroom.mjs', import.meta.url));
const SEED = 1;
const POLL_MS = 20;

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    count: { type: 'string', default: '100000' },
    'text-bytes': { type: 'string', default: '4000' },
  });
  buildIfStale();
  const { folder } = ownFolder();
  mkdirSync(join(folder, 'source'));
  await fill(join(folder, 'source'), Number(values.count), Number(values['text-bytes']));
  const [exportFile, backupFile] = [join(folder, 'all.ndjson'), join(folder, 'all.backup')];
  const rows = [
    await measured(folder, 'source/data', ['export', exportFile]),
    await measured(folder, 'imported', ['import', 'pressroom', exportFile]),
    await measured(folder, 'source/data', ['backup', backupFile]),
    await measured(folder, 'restored', ['restore', backupFile]),
  ];
  mkdirSync(join(folder, 'drill'));
  const startedAt = performance.now();
  const server = await startOwnServer({
    folder: join(folder, 'drill'),
    env: { DATA_DIR: join(folder, 'restored') },
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { length } = await server.call<unknown[]>(
    'GET',
    '/blogs/latest?pageNumber=1&pageItemCount=10',
  );
  await server.stop();
  if (length !== 10) throw new Error('the restored server serves no articles');
  console.log(
    [
      `${values.count} articles; export ${megabytes(exportFile)} MB, backup ${megabytes(backupFile)} MB`,
      table([['command', 'seconds', 'peak RSS, MiB'], ...rows]),
      `The server on the restored database was ready after ${seconds.toFixed(1)} s.`,
    ].join('\n\n'),
  );
});

/** Starts a server, and stores articles in its database by hand. */
async function fill(folder: string, count: number, textBytes: number): Promise<void> {
  const server = await startOwnServer({ folder });
  const { insertPeople } = await import('../performance/data/people.ts');
  const { loadArticles } = await import('../performance/data/load-articles.ts');
  const { socketUri } = await (
    await import('../support/built.ts')
  ).built('platform/database/embedded/replica-set');
  const client = new mongoose.mongo.MongoClient(
    socketUri(server.mongod()?.socket ?? '', 'pressroom'),
  );
  try {
    await insertPeople(client.db());
    const articlesFile = SAMPLE_ARTICLES;
    await loadArticles(client.db(), { articlesFile, count, textBytes, seed: SEED });
  } finally {
    await client.close();
    await server.stop({ isFolderKept: true });
  }
}

/** Runs a command. @returns the row of the table */
async function measured(folder: string, dataDir: string, args: string[]): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  const child = ownProcess(
    spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      env: { PATH, HOME, DATA_DIR: join(folder, dataDir) },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const forget = atEnd(() => child.kill());
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let peak = 0;
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  while (isRunning) {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
    await wait(POLL_MS);
  }
  forget();
  const [code] = await ended;
  if (code !== 0) throw new Error(`pressroom ${args.join(' ')} ended with ${String(code)}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return [args.slice(0, -1).join(' '), seconds.toFixed(1), (peak / 1_024).toFixed(0)];
}

/** The greatest resident set of a process so far, in KiB (VmHWM of proc(5)); 0 once it has ended. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function megabytes(file: string): string {
  return (statSync(file).size / 1e6).toFixed(0);
}
