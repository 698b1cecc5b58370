import { loadavg } from 'node:os';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { readArticles, SAMPLE_ARTICLES } from '../scripts/support/articles.ts';
import { table } from '../scripts/support/table.ts';
import { pairsOf } from './diff/texts.ts';
import { timePairs, type Timing } from './diff/timing.ts';
import { built } from './support/built.ts';
import { atEnd, runProgram, valuesOf } from './support/program.ts';

const USAGE = `usage: npm run bench:diff -- [--articles FILE] [--rounds N]

How long the server takes to compare two texts of 100,000 characters, and how late its event loop is
meanwhile. Exits with 1 when the median of any kind of texts is above 300 ms, or the delay above 20 ms
at p99.9.

  --articles FILE  one JSON object a line with a field "html";
                   default: PRESSROOM_ARTICLES, else the sample of the journey
  --rounds N       how often every pair is compared; default 20`;

const BAR_MS = 300;
const DELAY_BAR_MS = 20;

await runProgram(USAGE, async (args) => {
  const { articles, rounds } = valuesOf(args, USAGE, {
    articles: { type: 'string', default: process.env.PRESSROOM_ARTICLES ?? SAMPLE_ARTICLES },
    rounds: { type: 'string', default: '20' },
  });
  buildIfStale();
  const { BlogDiffService } = await built('blog/revisions/diff/blog-diff.service');
  const service = new BlogDiffService();
  atEnd(() => service.onApplicationShutdown());
  const pairs = pairsOf(readArticles(articles).map(({ html }) => html));
  const timing = await timePairs(service, pairs, { rounds: Number(rounds) });
  process.exitCode = report(timing) ? 0 : 1;
});

/** @returns whether both bars are reached */
function report({ first, pairs, delay }: Timing): boolean {
  const slowest = Math.max(...pairs.map(({ median }) => median));
  const isReached = slowest <= BAR_MS && delay.p999 <= DELAY_BAR_MS;
  console.log(
    [
      table([
        ['two texts of 100,000 characters', 'median ms', 'longest ms', 'CPU ms'],
        ...pairs.map((pair) => [
          pair.kind,
          ...[pair.median, pair.longest, pair.cpu].map((milliseconds) => milliseconds.toFixed(0)),
        ]),
      ]),
      `The first diff, which starts the thread: ${first.wall.toFixed(0)} ms. Slowest median: ` +
        `${slowest.toFixed(0)} ms; bar: ${BAR_MS} ms`,
      `Event-loop delay: p50 ${delay.p50.toFixed(1)} ms, p99.9 ${delay.p999.toFixed(1)} ms, longest ` +
        `${delay.max.toFixed(1)} ms; bar: p99.9 ${DELAY_BAR_MS} ms`,
      `Load average: ${loadavg()[0]?.toFixed(1)}. ${isReached ? 'Reached' : 'NOT REACHED'}`,
    ].join('\n\n'),
  );
  return isReached;
}
