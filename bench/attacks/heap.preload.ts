/**
 * Loaded into a Pressroom that is attacked, before it (`node --expose-gc --import`): SIGUSR2 collects
 * the garbage and writes the bytes of the heap that are still in use to HEAP_FILE.
 */
import { answerSignal } from '../support/signal.ts';

answerSignal(process.env.HEAP_FILE, () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
});
