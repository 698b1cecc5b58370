/**
 * Node loads this module before the attacked Pressroom (`node --expose-gc --import`). On SIGUSR2 it collects the
 * garbage and writes the number of bytes of the heap in use to HEAP_FILE, which appears only when it is complete. In
 * the threads that check passwords the module does nothing.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.HEAP_FILE;
if (isMainThread && file !== undefined) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.();
    writeFileSync(`${file}.new`, String(process.memoryUsage().heapUsed));
    renameSync(`${file}.new`, file);
  });
}
