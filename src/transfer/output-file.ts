import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../platform/config/operator.error.js';

/** The path that stands for the standard output. */
export const STDOUT = '-';

/**
 * Writes a file that appears as a whole or not at all, and that only its owner can read.
 *
 * @param path a file, or STDOUT for the standard output
 * @param write writes everything, and may end the stream
 * @throws OperatorError when the file exists already, or cannot be written
 */
export async function writeOutput(
  path: string,
  write: (output: Writable) => Promise<void>,
): Promise<void> {
  if (path === STDOUT) {
    await explainErrors('The standard output', () => write(process.stdout));
    return;
  }
  if (existsSync(path)) {
    throw new OperatorError(`${path} exists: remove it, or name another file.`);
  }
  const temporaryPath = `${path}.${process.pid}.tmp`;
  await explainErrors(path, async () => {
    try {
      await write(createWriteStream(temporaryPath, { flags: 'wx', mode: 0o600, flush: true }));
      await rename(temporaryPath, path);
    } finally {
      await rm(temporaryPath, { force: true });
    }
  });
}

/** Writes chunks, as fast as the output takes them. */
export async function writeChunks(
  chunks: AsyncIterable<string | Buffer>,
  output: Writable,
): Promise<void> {
  await pipeline(chunks, output, { end: output !== process.stdout });
}

/**
 * Runs an action, and turns a system error into a message for the operator.
 *
 * @param name name of what is written or read, for the message
 */
export async function explainErrors<Result>(
  name: string,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new OperatorError(`${name} cannot be used (${message}): nothing was left behind.`, {
      cause: error,
    });
  }
}
