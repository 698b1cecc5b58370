import { median } from '../performance/rounds.mjs';

/**
 * Puts the rounds of an attack together; there is at least one.
 *
 * @param rest figures of the whole attack
 * @returns `quiet` and `attacked` (`p50`, `p99`: medians of the rounds, in ms), `failedReads`,
 *   `live` (`most`, in ms; `failed`), `rss` (`before` the first, `most`, `after` the last, in MB),
 *   `cut` (`opened`, `left`, `lastSeconds`: of connections that stay), `answers`, `longestSeconds`, and what the attack adds
 */
export function figuresOf(rounds, rest) {
  const most = (of) => Math.max(...rounds.map(of));
  const sum = (of) => rounds.reduce((total, round) => total + of(round), 0);
  const middle = (name) => ({
    p50: median(rounds.map((round) => round[name].p50)),
    p99: median(rounds.map((round) => round[name].p99)),
  });
  const last = rounds.at(-1);
  return {
    ...last,
    quiet: middle('quiet'),
    attacked: middle('attacked'),
    failedReads: sum(({ quiet, attacked }) => quiet.failed + attacked.failed),
    live: { most: most(({ live }) => live.max), failed: sum(({ live }) => live.failed) },
    rss: {
      before: rounds[0].rss.before,
      most: most(({ rss }) => rss.most),
      after: last.rss.after,
    },
    cut: {
      opened: most(({ cut }) => cut.opened),
      left: most(({ cut }) => cut.left),
      lastSeconds: most(({ cut }) => cut.lastSeconds),
    },
    answers: addUp(rounds.map(({ answers }) => answers)),
    longestSeconds: most(({ longestSeconds }) => longestSeconds),
    ...rest,
  };
}

function addUp(counts) {
  const total = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) {
    total[name] = (total[name] ?? 0) + count;
  }
  return total;
}
