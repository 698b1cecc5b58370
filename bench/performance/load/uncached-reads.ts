import type { Bench } from '../bench.ts';
import { checkEqualBodies, readBodies } from './answers.ts';
import { rowOf, type Limit, type Row } from '../report.ts';
import type { Server } from '../../support/servers/servers.ts';

/** Number of paths that are read at the fixed rate, and once more after each round to compare the answers. */
const CHECKED_PATHS = 500;
/** Number of reads a second, for the latencies. */
const RATE = 500;

/** Settings with which every read of Pressroom goes to the database. */
const UNCACHED = { CACHE_MB: '0' };

/**
 * Measures rows of reads that all go to the database: Pressroom without its cache, compared with the baseline
 * `driver` or another build. Before the first round every path is read from both servers; the bodies of `driver`
 * must be equal to those of Pressroom. Under load every body must be one of these.
 * @param pathsByRow for each row, a function that makes its paths; called only if the row is measured
 */
export async function runUncached(
  bench: Bench,
  limit: Limit,
  pathsByRow: Readonly<Record<string, () => readonly string[]>>,
): Promise<Row[]> {
  const wanted = Object.entries(pathsByRow).filter(([row]) => bench.wants(row));
  if (wanted.length === 0) return [];
  const servers = {
    ours: await bench.startPressroom(UNCACHED),
    baseline: (await bench.startOtherBuild(UNCACHED)) ?? (await bench.startBaseline('driver')),
  };
  const rows: Row[] = [];
  for (const [row, pathsOf] of wanted) {
    rows.push(await bench.attempt(row, () => measure(bench, servers, row, pathsOf(), limit)));
  }
  return rows;
}

async function measure(
  bench: Bench,
  servers: { ours: Server; baseline: Server },
  row: string,
  paths: readonly string[],
  limit: Limit,
): Promise<Row> {
  const headers = { 'x-api-key': bench.data.apiKey };
  const ours = await readBodies(servers.ours, paths, headers);
  const baseline = await readBodies(servers.baseline, paths, headers);
  if (bench.options.baseline === null) checkEqualBodies(paths, baseline, ours);
  const answersOf = (server: Server) => (server === servers.ours ? ours : baseline);
  const load = (server: Server) => async (order: { seconds: number }) => {
    const answers = answersOf(server);
    const measured = await bench.closedLoop({ server, paths, answers, headers, ...order });
    const checkedPaths = paths.slice(0, CHECKED_PATHS);
    checkEqualBodies(checkedPaths, await readBodies(server, checkedPaths, headers), answers);
    return measured;
  };
  const atFixedRate = (server: Server) => ({
    rate: RATE,
    requests: answersOf(server)
      .slice(0, CHECKED_PATHS)
      .map((answer, at) => ({ path: paths[at] ?? '/', headers, answer })),
  });
  return rowOf({
    case: row,
    limit: bench.limitOf(limit),
    ...(await bench.compare(servers, load, atFixedRate)),
    note: `${paths.length} different paths; latencies at ${RATE}/s`,
  });
}
