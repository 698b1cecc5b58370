/**
 * `npm run bench` measures how fast Pressroom is, as ratios to baselines of the same run (docs/performance.md).
 *
 * It starts a MongoDB of its own on the loopback interface, fills it, starts the built Pressroom and the baseline
 * programs on the same Node, and measures them in interleaved rounds. The server runs on core 0, MongoDB and the
 * load on core 1. Modules of `performance/cases/` export the cases: a `Case` of `performance/bench.ts` gets a
 * `Bench` and returns rows.
 *
 * `npm run bench -- growth` compares a small database with a large one instead (`growth/`).
 */
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { GROWTH_USAGE, readGrowthOptions } from './growth/options.ts';
import { readOptions, USAGE } from './performance/options.ts';
import { runProgram } from './support/program.ts';

const [form, ...others] = process.argv.slice(2);
const isGrowth = form === 'growth';

await runProgram(isGrowth ? GROWTH_USAGE : USAGE, async (args) => {
  if (isGrowth) {
    const growthOptions = readGrowthOptions(others);
    buildIfStale();
    const { measureGrowth } = await import('./growth/run.ts');
    return measureGrowth(growthOptions);
  }
  const options = readOptions(args);
  buildIfStale();
  // The module is imported after the build, because its imports read the built server.
  const { runBench } = await import('./performance/run.ts');
  await runBench(options);
});
