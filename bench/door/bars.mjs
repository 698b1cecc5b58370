/**
 * What is asked for. Each takes the figures of an attack (run-attack.mjs) and returns what was
 * measured and the most that it may be; `shortLimit` is for the short form.
 */
const SHORT_FACTOR = 3;

const bar = (what, value, limit, unit, shortLimit = SHORT_FACTOR * limit) => ({
  what,
  value,
  limit,
  unit,
  shortLimit,
});

export const serverEnded = ({ ended }) => bar('times that the server has ended', ended, 0, '');

/** The machine's own noise is in the quiet rounds of the same run. */
export const readerP99 = ({ quiet, attacked }) =>
  bar("reader's p99", attacked.p99, Math.max(2 * quiet.p99, quiet.p99 + 10), ' ms');

export const readsFailed = ({ failedReads }) => bar('reads that failed', failedReads, 0, '');

export const rssGrowth = (megabytes) =>
  function rss({ rss: { before, most } }) {
    return bar('resident memory, more than before', most - before, megabytes, ' MB');
  };

export const heapGrowth = (megabytes) =>
  function heap({ heap: { before, after } }) {
    // An answer that did not come is no number, and reaches no bar.
    const grown = before === null || after === null ? NaN : after - before;
    return bar('heap after collection, more than before', grown, megabytes, ' MB');
  };

export const liveMax = (milliseconds) =>
  function live({ live: { most, failed } }) {
    const longest = failed > 0 ? Infinity : most;
    return bar('/health/live, longest', longest, milliseconds, ' ms');
  };

export const cutWithin = (seconds) =>
  function cut({ cut: { lastSeconds } }) {
    return bar('last of their connections cut after', lastSeconds, seconds, ' s');
  };

export const longestAnswer = (seconds, { short }) =>
  function longest({ longestSeconds }) {
    return bar('longest that anybody waited', longestSeconds, seconds, ' s', short);
  };

export const worksAgain = (seconds) =>
  function again({ recoverySeconds }) {
    return bar('everything works again after', recoverySeconds, seconds, ' s');
  };
