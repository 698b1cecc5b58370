import { table } from '../../scripts/support/table.ts';

const HEAD = {
  figures: [
    ...['attack', 'reader p50 ms', 'p99 ms', 'failed', '/health/live most ms'],
    ...['RSS before/most/after MB', 'heap MB', 'attackers got'],
  ],
  bars: ['attack', 'bar', 'measured', 'at most', 'reached'],
};

/**
 * Holds the figures of an attack against its bars.
 *
 * @param bars functions of bars.mjs
 * @returns of each bar: `what`, `value`, `limit`, `unit`, `isReached`
 */
export function judge(bars, figures, isShort) {
  return bars.map((barOf) => {
    const { shortLimit, ...bar } = barOf(figures);
    const limit = isShort ? shortLimit : bar.limit;
    return { ...bar, limit, isReached: bar.value <= limit };
  });
}

/** @param results of each attack: `name`, `figures`, `bars` as judged */
export function reportOf(results) {
  const figures = results.map(({ name, figures: measured }) => [name, ...cellsOf(measured)]);
  const bars = results.flatMap(({ name, bars: judged }) =>
    judged.map(({ what, value, limit, unit, isReached }) => [
      ...[name, what, `${numberOf(value)}${unit}`, `${numberOf(limit)}${unit}`],
      isReached ? 'yes' : 'NO',
    ]),
  );
  const judged = results.flatMap((result) => result.bars);
  const passed = judged.filter(({ isReached }) => isReached).length;
  return [
    table([HEAD.figures, ...figures]),
    table([HEAD.bars, ...bars]),
    `${passed} passed, ${judged.length - passed} failed`,
  ].join('\n\n');
}

function cellsOf({ quiet, attacked, failedReads, live, rss, heap, ...rest }) {
  const change = (name) => `${numberOf(quiet[name])} -> ${numberOf(attacked[name])}`;
  return [
    ...[change('p50'), change('p99'), String(failedReads)],
    live.failed > 0 ? `${numberOf(live.most)} (${live.failed} failed)` : numberOf(live.most),
    [rss.before, rss.most, rss.after].map((megabytes) => numberOf(megabytes)).join('/'),
    `${heap.before ?? '-'} -> ${heap.after ?? '-'}`,
    gotOf(rest),
  ];
}

function gotOf({ answers, cut, ended, longestSeconds }) {
  const counts = Object.entries(answers).map(([name, count]) => `${name}: ${count}`);
  if (cut.opened > 0) {
    const cuts = `${cut.opened - cut.left} of ${cut.opened} connections cut`;
    counts.push(cut.left === 0 ? `${cuts}, the last after ${numberOf(cut.lastSeconds)} s` : cuts);
  }
  if (ended > 0) counts.push('THE SERVER HAS ENDED');
  counts.push(`longest ${numberOf(longestSeconds)} s`);
  return counts.join(', ');
}

function numberOf(value) {
  if (!Number.isFinite(value)) return '-';
  return value.toFixed(Number.isInteger(value) ? 0 : 1);
}
