import { atMost, type Finding } from '../support/findings.ts';
import type { Figures } from './figures.ts';

/** Whether the whole program runs, or the form for CI, which is done in two minutes. */
export type Form = 'full' | 'short';

/** Compares a figure of an attack with the largest value that it may have. */
export type Threshold = (figures: Figures, form: Form) => Finding;

const SHORT_FACTOR = 3;

function threshold(
  what: string,
  unit: string,
  valueOf: (figures: Figures) => number,
  limit: number,
): Threshold {
  return (figures, form) =>
    atMost(what, valueOf(figures), form === 'short' ? SHORT_FACTOR * limit : limit, unit);
}

export const serverEnded = threshold(
  'times that the server has ended',
  '',
  ({ ended }) => ended,
  0,
);

/** The quiet rounds of the same run contain the machine's own noise. */
export const readerP99: Threshold = (figures, form) => {
  const { quiet } = figures;
  const limit = Math.max(2 * quiet.p99, quiet.p99 + 10);
  return threshold("reader's p99", ' ms', ({ attacked }) => attacked.p99, limit)(figures, form);
};

export const readsFailed = threshold('reads that failed', '', ({ failedReads }) => failedReads, 0);

export const rssGrowth = (megabytes: number) =>
  threshold(
    'resident memory, more than before',
    ' MB',
    ({ rss }) => rss.most - rss.before,
    megabytes,
  );

export const heapGrowth = (megabytes: number) =>
  threshold(
    'heap after collection, more than before',
    ' MB',
    ({ heap }) => heap.after - heap.before,
    megabytes,
  );

/**
 * The limit is counted in median reads of the same run without the attack, which tell how fast the machine is. What
 * delays a server on the same core that nobody attacks is the machine's own noise.
 */
export const liveMax =
  (medianReads: number): Threshold =>
  (figures, form) => {
    const { quiet, live, baseline } = figures;
    const limit = Math.max(medianReads * quiet.p50, 2 * baseline.most);
    const valueOf = () => (live.failed > 0 ? Infinity : live.most);
    return threshold('/health/live, longest', ' ms', valueOf, limit)(figures, form);
  };

export const cutWithin = (seconds: number) =>
  threshold('last of their connections cut after', ' s', ({ cut }) => cut.lastSeconds, seconds);
