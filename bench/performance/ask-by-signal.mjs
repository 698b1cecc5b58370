import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const ANSWER_MS = 10_000;

/**
 * Asks a Pressroom that was started with a preload which answers SIGUSR2 (answer-signal.mjs).
 *
 * @param file in which it answers
 * @returns what it says
 * @throws Error when it has ended, or says nothing in time
 */
export async function askBySignal(pid, file) {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (const deadline = performance.now() + ANSWER_MS; !existsSync(file); await wait(10)) {
    if (performance.now() > deadline) throw new Error('the server does not answer the signal');
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
