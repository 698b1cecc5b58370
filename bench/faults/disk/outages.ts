import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { OwnServer } from '../../../scripts/support/own-server.ts';
import { fillDisk, remountDisk } from '../../../scripts/support/small-disk.ts';
import { built } from '../../support/built.ts';
import type { Client } from '../bed/client.ts';

const END_MS = 60_000;
/** For as long writes still reach the journal, whose files are there already. */
const WRITES_MS = 3_000;

/** A server whose `mongod` has its data on a disk of its own. */
export interface Machine {
  readonly server: OwnServer;
  /** The folder on which the disk is mounted. */
  readonly dataDir: string;
  readonly client: Client;
}

/** What happens to the disk until `mongod` has ended, and how it is mended. */
export interface Outage {
  readonly name: string;
  /** What the log says when `mongod` has ended, and when it could not be started again. */
  readonly causes: readonly [ended: RegExp, failed: RegExp];
  begin(machine: Machine): Promise<void>;
  mend(machine: Machine): void;
}

const fillerOf = ({ dataDir }: Machine): string => join(dataDir, 'filler');

/** `mongod` goes on or refuses writes, and ends at its next checkpoint. */
export const FULL: Outage = {
  name: 'disk full',
  causes: [
    /MongoDB ended .*the disk of \S+ is full\. Free some space, .* MongoDB is started again in \d+ s\./,
    /is on a disk that is full\. Free some space, .* MongoDB is started again in \d+ s\./,
  ],
  async begin(machine) {
    fillDisk(fillerOf(machine));
    await wait(WRITES_MS);
    // The checkpoint that would come within a minute. It ends mongod, so there is no answer.
    await withDatabase(machine.server, (database) => database.admin().command({ fsync: 1 })).catch(
      () => undefined,
    );
    await untilEnded(machine.server);
  },
  mend(machine) {
    rmSync(fillerOf(machine));
  },
};

/**
 * A file system cannot be made read-only while `mongod` writes to it, other than by an error of the disk. So it
 * happens after `mongod` was killed.
 */
export const READ_ONLY: Outage = {
  name: 'mongod killed, disk read-only',
  causes: [
    /MongoDB was killed from outside, .* MongoDB is started again in \d+ s\./,
    /is on a read-only file system\. Mount it writable, .* MongoDB is started again in \d+ s\./,
  ],
  async begin({ server, dataDir }) {
    process.kill(mongodOf(server), 'SIGKILL');
    await untilEnded(server);
    // The kernel may still be closing what it had open.
    await until('a disk that nobody writes to', () => tryRemount(dataDir));
  },
  mend({ dataDir }) {
    remountDisk(dataDir, 'rw');
  },
};

function tryRemount(folder: string): boolean {
  try {
    remountDisk(folder, 'ro');
    return true;
  } catch {
    return false;
  }
}

/** @throws Error after the deadline */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = END_MS,
): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await condition()); await wait(20)) {
    if (performance.now() > deadline) throw new Error(`waited for ${what} in vain`);
  }
}

/** Gives a connection to the database of the server. */
export async function withDatabase<Result>(
  server: OwnServer,
  use: (database: mongoose.mongo.Db) => Promise<Result>,
): Promise<Result> {
  const { socketUri } = await built('platform/database/embedded/replica-set');
  const uri = socketUri(server.mongod()?.socket ?? '', 'pressroom');
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    return await use(client.db());
  } finally {
    await client.close();
  }
}

async function untilEnded(server: OwnServer): Promise<void> {
  const pid = mongodOf(server);
  await until('mongod to end', () => !existsSync(`/proc/${pid}`));
}

function mongodOf(server: OwnServer): number {
  const { pid } = server.mongod() ?? {};
  if (pid === undefined) throw new Error('the server has no mongod');
  return pid;
}
