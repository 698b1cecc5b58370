import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isCopy, type RunRecord } from '../folder/run-file.js';
import { endProcess } from './mongod-process.js';
import { findProcess, type ProcessFacts } from './process-facts.js';

/**
 * Ends the mongod that a killed owner left running. The pid of mongod is in the owner's record or in the lock
 * file that mongod writes. A process is ended only if it belongs to this user and its command line has the
 * path of the database folder: the present path, or the recorded path of a folder that was moved. Only the
 * owner of the data folder may call this function.
 *
 * @param dbPath mongod's folder
 * @param previous the record of the killed owner, or null
 */
export async function endOrphan(
  dbPath: string,
  previous: RunRecord | null,
  log: (line: string) => void,
): Promise<void> {
  const record = previous !== null && !(await isCopy(previous, dbPath)) ? previous : null;
  const lockPid = Number(await readFile(path.join(dbPath, 'mongod.lock'), 'utf8').catch(() => ''));
  for (const pid of new Set([record?.mongod?.pid ?? 0, lockPid])) {
    const facts = await findProcess(pid);
    if (facts === null || !isOurs(facts)) continue;
    const isRecorded =
      record?.mongod?.pid === pid &&
      record.mongod.startTime === facts.startTime &&
      opensDatabase(facts.command, record.dbPath);
    if (!isRecorded && !opensDatabase(facts.command, dbPath)) continue;
    log(`Ending the MongoDB (pid ${pid}) that an earlier start left behind.`);
    await endProcess(facts);
  }
}

function isOurs(facts: ProcessFacts): boolean {
  return facts.uid === process.getuid?.();
}

/**
 * Whether a command line has `--dbpath` with this folder. The arguments are joined, because a path with a
 * blank is split if the command line was read through `ps`.
 */
export function opensDatabase(command: readonly string[], dbPath: string): boolean {
  return ` ${command.join(' ')} `.includes(` --dbpath ${dbPath} `);
}
