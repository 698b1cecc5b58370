/** A thousand different lists that are not in memory, latest and by tag. */
import { shuffled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { measureUncached } from '../../load/uncached-reads.ts';
import type { Limit, Row } from '../../report.ts';

export const name = 'lists';
export const needs = { count: 1_000 };

const LIMIT: Limit = { kind: 'ratio-min', value: 0.9 };
const EACH = 500;
/** Deeper ones are the subject of the case `depth`. */
const DEEPEST = 100;
const DEEPEST_BY_TAG = 10;
const SIZES = [10, 20, 5, 15, 25, 12, 8, 30];

export async function run(bench: Bench): Promise<Row[]> {
  const { count, tags } = bench.data;
  const pathsByRow = {
    'latest, uncached': () => pagesOf('/blogs/latest', count, DEEPEST),
    'by tag, uncached': () =>
      tags.flatMap(({ tag, count: tagged }) =>
        pagesOf(`/blogs/tag/${encodeURIComponent(tag)}`, tagged, DEEPEST_BY_TAG),
      ),
  };
  const wanted = Object.entries(pathsByRow).filter(([row]) => bench.wants(row));
  if (wanted.length === 0) return [];
  const pressroom = await bench.startPressroom({ CACHE_MB: '0' });
  const baseline = await bench.startBaseline('driver');
  const rows: Row[] = [];
  for (const [row, pathsOf] of wanted) {
    const paths = shuffled(pathsOf().slice(0, EACH));
    const measured = { case: row, paths, limit: LIMIT };
    const measure = () => measureUncached(bench, { pressroom, baseline }, measured);
    rows.push(await bench.attempt(row, measure));
  }
  return rows;
}

/** Pages of several sizes that have something on them. */
function pagesOf(path: string, count: number, deepest: number): string[] {
  return SIZES.flatMap((limit) =>
    Array.from(
      { length: Math.min(deepest, Math.ceil(count / limit)) },
      (_, index) => `${path}?page=${index + 1}&limit=${limit}`,
    ),
  );
}
