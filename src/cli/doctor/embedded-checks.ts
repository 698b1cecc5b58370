import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Env } from '../../platform/config/env.js';
import { findMongod } from '../../platform/database/embedded/find-mongod.js';
import {
  freeBytesOf,
  readDataVersion,
} from '../../platform/database/embedded/folder/data-folder.js';
import { readRunFile, RUN_FILE } from '../../platform/database/embedded/folder/run-file.js';
import { seriesOf } from '../../platform/database/embedded/binary/mongod-version.js';
import { MongodNotFoundError } from '../../platform/database/embedded/mongod-not-found.error.js';
import { isAlive } from '../../platform/database/embedded/process/process-facts.js';
import { ok, runCheck, warn, type Check, type Finding } from './check.js';
import { diskSpace } from './disk-space.js';

/** Whether the embedded database of this folder has ever been started. */
export function hasEmbeddedData({ DATA_DIR }: Env): boolean {
  return existsSync(path.join(DATA_DIR, 'db', 'WiredTiger'));
}

/** The checks of the embedded database and its disk, for a server without MONGODB_URI. They change nothing. */
export async function checkEmbedded(env: Env): Promise<Check[]> {
  return Promise.all([
    runCheck('server', () => checkServer(env)),
    runCheck('mongod', () => checkMongod(env)),
    runCheck('disk of DATA_DIR', async () => diskSpace(await freeBytesOf(existingFolder(env)))),
  ]);
}

async function checkServer({ DATA_DIR }: Env): Promise<Finding> {
  const record = await readRunFile(path.join(DATA_DIR, RUN_FILE));
  if (record === null || !(await isAlive(record.app))) return ok('not running');
  return ok(`process ${record.app.pid}${record.url === undefined ? '' : ` at ${record.url}`}`);
}

async function checkMongod(env: Env): Promise<Finding> {
  const dataVersion = await readDataVersion({
    versionFile: path.join(env.DATA_DIR, 'data-version.json'),
  });
  const series = dataVersion === null ? undefined : seriesOf(dataVersion);
  try {
    const found = await findMongod({
      systemBinary: env.MONGOMS_SYSTEM_BINARY,
      path: env.PATH,
      xdgCacheHome: env.XDG_CACHE_HOME,
      series,
      downloads: [],
      log: () => undefined,
    });
    return ok(`${found.version}, ${found.path}`);
  } catch (error) {
    if (!(error instanceof MongodNotFoundError)) throw error;
    return warn(
      `No mongod ${series ?? '6.0 or newer'} is on this machine: the next start downloads one, or set ` +
        'MONGOMS_SYSTEM_BINARY to one.',
    );
  }
}

/** The data folder, or the closest folder above it that exists. */
function existingFolder({ DATA_DIR }: Env): string {
  let folder = path.resolve(DATA_DIR);
  while (!existsSync(folder)) folder = path.dirname(folder);
  return folder;
}
