/**
 * This module is loaded before an attacked Pressroom (`node --expose-gc --import`): SIGUSR2
 * collects the garbage and writes the bytes of the heap that are still in use to HEAP_FILE, whole
 * or not at all. The threads that check passwords load it as well, and do nothing.
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
