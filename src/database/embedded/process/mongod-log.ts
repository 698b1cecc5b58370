import { copyFile, open, rename, rm, stat, truncate } from 'node:fs/promises';

const KEEP_BYTES = 8 * 1024 * 1024;
const CHECK_EVERY_MS = 10 * 60 * 1000;
const TAIL_BYTES = 256 * 1024;

/** How large the log is now, in bytes; 0 when there is none. */
export async function logSize(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** Before a start: a log that has grown large becomes `<file>.1`, in place of the one before. */
export async function rotateLog(file: string, keepBytes = KEEP_BYTES): Promise<void> {
  if ((await logSize(file)) > keepBytes) await rename(file, `${file}.1`);
}

/**
 * While mongod runs, its log is kept to two times 8 MB. mongod holds the file open for appending, so
 * the content is copied away and the file cut to nothing; no signal, nothing to reopen.
 *
 * @returns a function that ends the watch
 */
export function keepLogSmall(file: string): () => void {
  const timer = setInterval(() => {
    void cutLog(file).catch(() => {
      // A full disk is mongod's to report; the copy must not make it fuller.
      void rm(`${file}.1`, { force: true }).catch(() => undefined);
    });
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Copies a log that has grown large to `<file>.1` and empties it. */
export async function cutLog(file: string, keepBytes = KEEP_BYTES): Promise<void> {
  if ((await logSize(file)) <= keepBytes) return;
  await copyFile(file, `${file}.1`);
  await truncate(file, 0);
}

/** The end of the log, at most 256 KB, from a byte onwards; empty when it cannot be read. */
export async function readLogTail(file: string, from = 0): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const start = Math.max(Math.min(from, size), size - TAIL_BYTES);
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(size - start),
        0,
        size - start,
        start,
      );
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
