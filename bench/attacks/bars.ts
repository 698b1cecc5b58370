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

export function rssGrowth(megabytes: number): Bar {
  const what = 'resident memory, more than before';
  return bar(what, ' MB', ({ rss }) => rss.most - rss.before, megabytes);
}

export function heapGrowth(megabytes: number): Bar {
  const what = 'heap after collection, more than before';
  return bar(what, ' MB', ({ heap }) => heap.after - heap.before, megabytes);
}

export function liveMax(milliseconds: number): Bar {
  const longest = ({ live }: Figures) => (live.failed > 0 ? Infinity : live.most);
  return bar('/health/live, longest', ' ms', longest, milliseconds);
}

export function cutWithin(seconds: number): Bar {
  const what = 'last of their connections cut after';
  return bar(what, ' s', ({ cut }) => cut.lastSeconds, seconds);
}

export function longestAnswer(seconds: number, shortSeconds: number): Bar {
  const what = 'longest that anybody waited';
  return bar(what, ' s', ({ longestSeconds }) => longestSeconds, seconds, shortSeconds);
}

export function worksAgain(seconds: number): Bar {
  const what = 'everything works again after';
  return bar(what, ' s', ({ recoverySeconds }) => recoverySeconds, seconds);
}
