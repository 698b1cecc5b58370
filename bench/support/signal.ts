import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const ANSWER_MS = 10_000;

/**
 * For a preload of a Pressroom (`node --import`): at each SIGUSR2 writes what `answerOf` returns to a
 * file, whole or not at all. The threads that check passwords load it as well, and do nothing.
 */
export function answerSignal(file: string | undefined, answerOf: () => unknown): void {
  if (!isMainThread || file === undefined) return;
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify(answerOf()));
    renameSync(`${file}.new`, file);
  });
}

/**
 * Asks a Pressroom that was started with such a preload.
 *
 * @param file in which it answers
 * @throws Error when it has ended, or does not answer in time
 */
export async function askBySignal(pid: number, file: string): Promise<unknown> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (const deadline = performance.now() + ANSWER_MS; !existsSync(file); await wait(10)) {
    if (performance.now() > deadline) throw new Error('the server does not answer the signal');
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
