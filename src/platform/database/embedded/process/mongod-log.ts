import { copyFile, open, rename, rm, stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 8 * 1024 * 1024;
const CHECK_EVERY_MS = 10 * 60 * 1000;
const TAIL_BYTES = 256 * 1024;

/** Size of the log in bytes; 0 when there is none. */
export async function logSize(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** Renames a log of more than `maxBytes` to `<file>.1`, in place of an earlier one. Call it before mongod starts. */
export async function rotateLog(file: string, maxBytes = MAX_BYTES): Promise<void> {
  if ((await logSize(file)) > maxBytes) await rename(file, `${file}.1`);
}

/**
 * Checks the size of the log every 10 minutes while mongod runs. If it is more than 8 MB, moves the content
 * to `<file>.1`. mongod keeps the file open for appending, so the content is copied and the file truncated.
 *
 * @returns a function that ends the checks
 */
export function keepLogSmall(file: string): () => void {
  const timer = setInterval(() => {
    void cutLog(file).catch(() => {
      // The disk may be full. Removing the copy frees its space; mongod itself reports a full disk.
      void rm(`${file}.1`, { force: true }).catch(() => undefined);
    });
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Copies a log of more than `maxBytes` to `<file>.1` and truncates the log. */
export async function cutLog(file: string, maxBytes = MAX_BYTES): Promise<void> {
  if ((await logSize(file)) <= maxBytes) return;
  await copyFile(file, `${file}.1`);
  await truncate(file, 0);
}

/** The log from an offset in bytes, but at most its last 256 KB; empty when unreadable. */
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
