import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isCopy, type RunRecord } from '../folder/run-file.js';
import { endProcess } from './mongod-process.js';
import { findProcess, type ProcessFacts } from './process-facts.js';

/**
 * Ends the mongod of an owner that was killed: the process in its record, or in mongod's own lock file.
 * Ends it only if it belongs to this user and its command line has this database folder. Call it only
 * as the owner of the data folder.
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
 * Whether a command line has `--dbpath` with this folder. The arguments are joined, because `ps` splits
 * a folder with a blank in its name.
 */
export function opensDatabase(command: readonly string[], dbPath: string): boolean {
  return ` ${command.join(' ')} `.includes(` --dbpath ${dbPath} `);
}
