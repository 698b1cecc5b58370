/** Measures searches for similar articles among a million, of which 30 % have a common tag, without cache. */
import { readEachOnce } from '../../../load/each-once.ts';
import type { Bench } from '../../bench.ts';
import { rowOf, type Row } from '../../report.ts';

export const name = 'similar';
export const needs = { count: 1_000_000 };

const READS_ALONE = 1_000;
const READS_TOGETHER = 4_000;
const CONNECTIONS = 8;
const WARM_UP = 200;
const RESULTS_MAX = 6;
const THRESHOLDS = { aloneP50: 12, togetherP99: 80 };

export async function run(bench: Bench): Promise<Row[]> {
  const server = await bench.startPressroom({ CACHE_MB: '0' });
  const headers = { 'x-api-key': bench.data.apiKey };
  // The similar articles of each article are read once, so that no answer profits from an earlier one.
  const queue = [...bench.data.ids];
  const ask = (count: number, connections = 1) => {
    const asked = queue.splice(0, count);
    const paths = asked.map((id) => `/blogs/similar/id/${id}`);
    const check = (body: string, at: number) => checkSimilar(asked[at] ?? '', body);
    return readEachOnce({ server, paths, headers, connections, check });
  };
  await ask(WARM_UP);
  const alone = await ask(READS_ALONE);
  const together = await ask(READS_TOGETHER, CONNECTIONS);
  return [
    rowOf({
      case: 'similar alone, p50',
      ours: alone,
      value: alone.p50,
      limit: { kind: 'max', value: THRESHOLDS.aloneP50, unit: 'ms' },
      note: `${READS_ALONE} different articles, one connection, cache off`,
    }),
    rowOf({
      case: `similar at ${CONNECTIONS} connections, p99`,
      ours: together,
      value: together.p99,
      limit: { kind: 'max', value: THRESHOLDS.togetherP99, unit: 'ms' },
      note: `${READS_TOGETHER} different articles, cache off`,
    }),
  ];
}

function checkSimilar(id: string, body: string): void {
  const { data } = JSON.parse(body) as { data: { _id: string }[] };
  const found = new Set(data.map(({ _id }) => _id));
  if (data.length === 0 || data.length > RESULTS_MAX || found.size < data.length) {
    throw new Error(`${id}: ${data.length} similar articles, ${found.size} different ones`);
  }
  if (found.has(id)) throw new Error(`${id} is similar to itself`);
}
