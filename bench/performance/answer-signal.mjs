import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * For a preload: writes what `answerOf` returns to a file, whole or not at all, at each SIGUSR2. The
 * threads that check passwords load it as well, and do nothing.
 */
export function answerSignal(file, answerOf) {
  if (!isMainThread) return;
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify(answerOf()));
    renameSync(`${file}.new`, file);
  });
}
