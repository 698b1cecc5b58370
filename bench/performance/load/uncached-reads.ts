import type { Bench } from '../bench.ts';
import { checkBodies, readBodies } from '../inspect/answers.ts';
import { rowOf, type Limit, type Row } from '../report.ts';
import type { Server } from '../servers.ts';

/** Asked again after each round, many at a time, and held against what was answered before. */
const CHECKED = 500;
/** Reads a second, for the latencies. */
const RATE = 500;

/** Settings of a Pressroom whose every read goes to the database. */
export const UNCACHED = { CACHE_MB: '0' };

/**
 * Measures rows of reads that all go to the database: Pressroom without its cache against a baseline.
 * Before the first round every path is read from both, and their bodies must be the same bytes; under
 * load every body must be one of them.
 *
 * @param pathsByRow called for the rows that are wanted
 */
export async function runUncached(
  bench: Bench,
  limit: Limit,
  startBaseline: () => Promise<Server>,
  pathsByRow: Readonly<Record<string, () => readonly string[]>>,
): Promise<Row[]> {
  const wanted = Object.entries(pathsByRow).filter(([row]) => bench.wants(row));
  if (wanted.length === 0) return [];
  const servers = {
    ours: await bench.startPressroom(UNCACHED),
    baseline: await startBaseline(),
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
  const answers = await readBodies(servers.ours, paths, headers);
  await checkBodies(servers.baseline, paths, answers, headers);
  const load = (server: Server) => async (order: { seconds: number }) => {
    const measured = await bench.closedLoop({ server, paths, answers, headers, ...order });
    await checkBodies(server, paths.slice(0, CHECKED), answers, headers);
    return measured;
  };
  const requests = answers
    .slice(0, CHECKED)
    .map((answer, index) => ({ path: paths[index] ?? '/', headers, answer }));
  return rowOf({
    ...{ case: row, limit },
    ...(await bench.compare(servers, load, { rate: RATE, requests })),
    note: `${paths.length} different ones; latencies at ${RATE}/s`,
  });
}
