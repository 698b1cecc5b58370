import { atMost, type Finding } from '../support/findings.ts';
import type { Figures } from './figures.ts';

/** `full` measures for as long as the figures need, `short` takes two minutes in CI. */
export type Form = 'full' | 'short';

/** Compares one figure of an attack with its limit. */
export type Threshold = (figures: Figures, form: Form) => Finding;

/** Factor by which the short form raises the limits: it measures so briefly that its figures vary more. */
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

/**
 * Limits the reader's p99 during the attack, relative to that of the quiet rounds of the same run, which contain the
 * noise of the machine.
 */
export const readerP99: Threshold = (figures, form) => {
  const { quiet } = figures;
  const limit = Math.max(2 * quiet.p99, quiet.p99 + 10);
  return threshold("reader's p99", ' ms', ({ attacked }) => attacked.p99, limit)(figures, form);
};

export const readsFailed = threshold('reads that failed', '', ({ failedReads }) => failedReads, 0);

export const rssGrowth = (megabytes: number) =>
  threshold('growth of resident memory', ' MB', ({ rss }) => rss.most - rss.before, megabytes);

export const heapGrowth = (megabytes: number) =>
  threshold(
    'growth of the heap after collection',
    ' MB',
    ({ heap }) => heap.after - heap.before,
    megabytes,
  );

/**
 * Limits the longest answer of /health/live during the attack. Twice the longest answer of the baseline server, which
 * nobody attacks, is always allowed, because that is the noise of the machine.
 *
 * @param timesMedian the limit, as a multiple of the reader's median latency without the attack, so that it fits the
 *   speed of the machine
 */
export const liveMax =
  (timesMedian: number): Threshold =>
  (figures, form) => {
    const { quiet, live, baseline } = figures;
    const limit = Math.max(timesMedian * quiet.p50, 2 * baseline.most);
    const valueOf = () => (live.failed > 0 ? Infinity : live.most);
    return threshold('longest answer of /health/live', ' ms', valueOf, limit)(figures, form);
  };

export const cutWithin = (seconds: number) =>
  threshold('last attacker cut off after', ' s', ({ cut }) => cut.lastSeconds, seconds);
