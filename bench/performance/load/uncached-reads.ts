import type { Bench } from '../bench.ts';
import { checkBodies, readBodies } from '../inspect/answers.ts';
import { rowOf, type Measured, type Row } from '../report.ts';
import type { Server } from '../servers.ts';

/** Asked again after each round, many at a time, and held against what was answered before. */
const CHECKED = 500;
/** Reads a second, for the latencies. */
const RATE = 500;

/**
 * Measures reads that all go to the database: Pressroom without its cache against bare Fastify on
 * the bare driver. Before the first round every path is read from both, and their bodies must be the
 * same bytes; under load every body must be one of them.
 */
export async function measureUncached(
  bench: Bench,
  servers: { pressroom: Server; baseline: Server },
  { paths, ...row }: Pick<Measured, 'case' | 'limit'> & { paths: readonly string[] },
): Promise<Row> {
  const headers = { 'x-api-key': bench.data.apiKey };
  const answers = await readBodies(servers.pressroom, paths, headers);
  await checkBodies(servers.baseline, paths, answers, headers);
  const load = (server: Server) => async (order: { seconds: number }) => {
    const measured = await bench.closedLoop({ server, paths, answers, headers, ...order });
    await checkBodies(server, paths.slice(0, CHECKED), answers, headers);
    return measured;
  };
  const ours = load(servers.pressroom);
  const baseline = load(servers.baseline);
  const result = await bench.rounds({ ours, baseline });
  const requests = answers
    .slice(0, CHECKED)
    .map((answer, index) => ({ path: paths[index] ?? '/', headers, answer }));
  const open = { rate: RATE, requests };
  const { ratio, spread } = result;
  return rowOf({
    ...row,
    ours: { ...result.ours, ...(await bench.atFixedRate(servers.pressroom, open)) },
    baseline: { ...result.baseline, ...(await bench.atFixedRate(servers.baseline, open)) },
    ...{ ratio, spread },
    note: `${paths.length} different ones; latencies at ${RATE}/s`,
  });
}
