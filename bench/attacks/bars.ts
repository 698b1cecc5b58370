import type { Figures } from './figures.ts';

/** The whole program, or that of CI, which is done in two minutes. */
export type Form = 'full' | 'short';

/** What was measured and the most that it may be. */
export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  /** The limit of the short form. */
  readonly shortLimit: number;
}

/** What is asked for, from the figures of an attack. */
export type Bar = (figures: Figures) => Measured;

const SHORT_FACTOR = 3;

function bar(
  what: string,
  unit: string,
  valueOf: (figures: Figures) => number,
  limit: number,
  shortLimit = SHORT_FACTOR * limit,
): Bar {
  return (figures) => ({ what, unit, value: valueOf(figures), limit, shortLimit });
}

export const serverEnded = bar('times that the server has ended', '', ({ ended }) => ended, 0);

/** The machine's own noise is in the quiet rounds of the same run. */
export const readerP99: Bar = (figures) => {
  const { quiet, attacked } = figures;
  const limit = Math.max(2 * quiet.p99, quiet.p99 + 10);
  return bar("reader's p99", ' ms', () => attacked.p99, limit)(figures);
};

export const readsFailed = bar('reads that failed', '', ({ failedReads }) => failedReads, 0);

export const rssGrowth = (megabytes: number) =>
  bar('resident memory, more than before', ' MB', ({ rss }) => rss.most - rss.before, megabytes);

export const heapGrowth = (megabytes: number) =>
  bar(
    'heap after collection, more than before',
    ' MB',
    ({ heap }) => heap.after - heap.before,
    megabytes,
  );

/**
 * In median reads of the same run without the attack, which tell how fast the machine is. What delays a
 * server on the same core that nobody attacks is the machine's own noise.
 */
export const liveMax =
  (medianReads: number): Bar =>
  (figures) => {
    const { quiet, live, baseline } = figures;
    const limit = Math.max(medianReads * quiet.p50, 2 * baseline.most);
    const valueOf = () => (live.failed > 0 ? Infinity : live.most);
    return bar('/health/live, longest', ' ms', valueOf, limit)(figures);
  };

export const cutWithin = (seconds: number) =>
  bar('last of their connections cut after', ' s', ({ cut }) => cut.lastSeconds, seconds);

export const longestAnswer = (seconds: number, shortSeconds: number) =>
  bar('longest that anybody waited', ' s', (of) => of.longestSeconds, seconds, shortSeconds);

export const worksAgain = (seconds: number) =>
  bar('everything works again after', ' s', ({ recoverySeconds }) => recoverySeconds, seconds);
