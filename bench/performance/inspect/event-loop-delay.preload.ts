/**
 * Loaded into a Pressroom that is measured, before it (`node --import`): records how late its event
 * loop is. SIGUSR2 writes what was recorded since the last one to EVENT_LOOP_DELAY_FILE.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { answerSignal } from '../../support/signal.ts';

const RESOLUTION_MS = 1;

/** In milliseconds. */
export type Delays = ReturnType<typeof delaysOf>;

// The threads that check passwords load it as well.
if (isMainThread) watch();

function watch(): void {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  answerSignal(process.env.EVENT_LOOP_DELAY_FILE, () => {
    const delays = delaysOf(histogram);
    histogram.reset();
    return delays;
  });
}

function delaysOf(histogram: ReturnType<typeof monitorEventLoopDelay>) {
  // A loop that is never late is still asked only once per interval.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    p50: late(histogram.percentile(50)),
    p99: late(histogram.percentile(99)),
    p999: late(histogram.percentile(99.9)),
    max: late(histogram.max),
  };
}
