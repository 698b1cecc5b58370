import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { BlogDiffService } from '../support/built.ts';
import { median, quantile } from '../support/statistics.ts';
import type { Pair } from './texts.ts';

const RESOLUTION_MS = 1;

export type Timing = Awaited<ReturnType<typeof timePairs>>;

/** In milliseconds. The CPU time is that of all threads; other programs hardly affect it. */
interface Time {
  readonly wall: number;
  readonly cpu: number;
}

/**
 * Compares the pairs in turn as a request does: the diff, and its JSON on the event loop.
 *
 * @returns the times of the first diff, which starts the thread, and of each pair; and how late the event
 *   loop is while diffs run, in milliseconds
 */
export async function timePairs(
  service: BlogDiffService,
  pairs: readonly Pair[],
  { rounds }: { rounds: number },
) {
  const times = new Map<string, Time[]>(pairs.map(({ kind }) => [kind, []]));
  const first = await timeOf(service, pairs[0] as Pair);
  // The first round compiles; it is not counted.
  for (const pair of pairs) await timeOf(service, pair);
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  for (let round = 0; round < rounds; round += 1) {
    for (const pair of pairs) times.get(pair.kind)?.push(await timeOf(service, pair));
  }
  delays.disable();
  // A loop that is never late is still asked only once per interval.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return {
    first,
    pairs: Array.from(times, ([kind, all]) => ({
      kind,
      median: median(all.map(({ wall }) => wall)),
      longest: quantile(
        all.map(({ wall }) => wall),
        1,
      ),
      cpu: median(all.map(({ cpu }) => cpu)),
    })),
    delay: {
      p50: late(delays.percentile(50)),
      p999: late(delays.percentile(99.9)),
      max: late(delays.max),
    },
  };
}

async function timeOf(service: BlogDiffService, { before, after }: Pair): Promise<Time> {
  const blog = { title: 'Title', description: 'Description', slug: 'title', tags: [] };
  const [started, cpuBefore] = [performance.now(), process.cpuUsage()];
  JSON.stringify(await service.diff({ ...blog, draftText: before }, { ...blog, draftText: after }));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall: performance.now() - started, cpu: (user + system) / 1_000 };
}
