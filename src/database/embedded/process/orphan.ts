import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isCopy, type RunRecord } from '../folder/run-file.js';
import { endProcess } from './mongod-process.js';
import { findProcess, type ProcessFacts } from './process-facts.js';

/**
 * Ends the mongod that an owner left behind when it died: the one that its record names, or the one
 * that mongod's own lock file names. Only a process of this user whose command line opens this very
 * database is touched. Call it as the owner of the folder only.
 *
 * @param dbPath mongod's folder
 * @param previous the dead owner's record, if there was one
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
 * Whether a command line opens a database folder. `ps` does not keep arguments apart, so a folder
 * with a blank in its name is looked for in the joined text.
 */
export function opensDatabase(command: readonly string[], dbPath: string): boolean {
  return ` ${command.join(' ')} `.includes(` --dbpath ${dbPath} `);
}
