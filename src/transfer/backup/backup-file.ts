import { pipeline } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { ArchiveDatabase } from '../archive-database.js';
import type { InputFile } from '../input-file.js';
import { explainErrors, writeChunks, writeOutput } from '../output-file.js';
import type { BackupHeader } from './backup-format.js';
import { readBackup, type BackupPart } from './backup-reader.js';
import { backupChunks, storedCollections } from './backup-writer.js';

/** Level 1 of gzip is twice as fast as the default level, and makes files that are a tenth larger. */
const GZIP_OPTIONS = { level: 1 };

export interface BackupOptions {
  /** Whether no server runs (see ArchiveDatabase.read). */
  readonly isStopped: boolean;
  /** Secrets of the data folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Called at the beginning with the estimated number of records. */
  readonly onBegin: (total: number) => void;
  /** Called with the number of records read since the last call. */
  readonly onRecords: (count: number) => void;
}

/**
 * Reads from the database everything that a backup holds, and passes it to `work`.
 *
 * @param work gets the bytes of the backup, not compressed
 * @throws what ArchiveDatabase.read and `work` throw
 */
export async function readForBackup(
  database: ArchiveDatabase,
  { isStopped, files, onBegin, onRecords }: BackupOptions,
  work: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const collections = await storedCollections(database.db);
  onBegin(await database.estimate(collections.map(({ name }) => name)));
  await database.read({ isStopped }, (session) =>
    work(backupChunks(database, { collections, files }, session, onRecords)),
  );
}

/**
 * @param path a file, or STDOUT for the standard output
 * @throws what `readForBackup` and `writeOutput` throw
 */
export async function writeBackup(
  database: ArchiveDatabase,
  path: string,
  options: BackupOptions,
): Promise<void> {
  await writeOutput(path, (output) =>
    readForBackup(database, options, (chunks) => writeChunks(compressed(chunks), output)),
  );
}

/**
 * Reads and checks a backup.
 *
 * @throws OperatorError when the backup is incomplete or cannot be read (see `readBackup`)
 */
export async function* readBackupFile(file: InputFile): AsyncGenerator<BackupPart> {
  try {
    yield* readBackup(decompressed(file));
  } catch (error) {
    await explainErrors(file.name, () => Promise.reject(error as Error));
  }
}

/**
 * Reads the whole backup.
 *
 * @returns its header, and the number of its records
 * @throws what `readBackupFile` throws
 */
export async function checkBackupFile(
  file: InputFile,
): Promise<BackupHeader & { records: number }> {
  let header: BackupHeader | undefined;
  let records = 0;
  for await (const part of readBackupFile(file)) {
    if ('header' in part) header = part.header;
    else records += 1;
  }
  return { ...(header as BackupHeader), records };
}

function compressed(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gzip = createGzip(GZIP_OPTIONS);
  // The callback ignores errors, because whoever reads the returned stream gets them.
  pipeline(chunks, gzip, () => undefined);
  return gzip;
}

function decompressed(file: InputFile): AsyncIterable<Buffer> {
  const gunzip = createGunzip();
  pipeline(file.read(), gunzip, () => undefined);
  return gunzip;
}
