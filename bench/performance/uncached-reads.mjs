import { checkBodies, readBodies } from './answers.mjs';
import { rowOf } from './report.mjs';

/** Asked again after each round, many at a time, and held against what was answered before. */
const CHECKED = 500;

/**
 * Measures reads that all go to the database: Pressroom without its cache against bare Fastify on
 * the bare driver. Before the first round every path is read from both, and their bodies must be the
 * same bytes; under load every body must be one of them.
 *
 * @param baselineHeaders for a baseline that asks for an API key
 * @returns a row
 */
export async function measureUncached(
  bench,
  { pressroom, baseline, baselineHeaders = {}, paths, rate, ...row },
) {
  const headers = { 'x-api-key': bench.world.apiKey };
  const answers = await readBodies(pressroom, paths, headers);
  await checkBodies(baseline, paths, answers, baselineHeaders);
  const load = (server) => async (options) => {
    const measured = await bench.closedLoop({ server, paths, answers, headers, ...options });
    await checkBodies(server, paths.slice(0, CHECKED), answers, headers);
    return measured;
  };
  const result = await bench.rounds({ ours: load(pressroom), baseline: load(baseline) });
  const calm = await bench.atFixedRate({
    servers: { ours: pressroom, baseline },
    rate,
    requests: paths
      .slice(0, CHECKED)
      .map((path, index) => ({ path, headers, answer: answers[index] })),
  });
  return rowOf({
    ...row,
    ours: { ...result.ours, ...calm.ours },
    baseline: { ...result.baseline, ...calm.baseline },
    ratio: result.ratio,
    spread: result.spread,
    note: `${paths.length} different ones; latencies at ${rate}/s`,
  });
}
