/** Bar 3: a thousand different lists that are not in memory, latest and by tag. */
import { shuffled } from '../load/shuffle.mjs';
import { measureUncached } from '../uncached-reads.mjs';

export const name = 'lists';
export const bars = [3];
export const needs = { count: 1_000 };

const LIMIT = { kind: 'ratio-min', value: 0.9 };
const EACH = 500;
/** Deeper ones are the subject of the case `depth`. */
const DEEPEST = 100;
const SIZES = [10, 20, 5, 15, 25, 12, 8, 30];

export async function run(bench) {
  const { count, tags } = bench.world;
  const kinds = [
    { row: 'latest, uncached', paths: () => pagesOf('/blogs/latest', count) },
    {
      row: 'by tag, uncached',
      paths: () =>
        tags.flatMap(({ tag, count: tagged }) =>
          pagesOf(`/blogs/tag/${encodeURIComponent(tag)}`, tagged, 10),
        ),
    },
  ].filter(({ row }) => bench.wants(row));
  if (kinds.length === 0) return [];
  const pressroom = await bench.startPressroom({ CACHE_MB: '0' });
  const baseline = await bench.startBaseline('driver');
  const rows = [];
  for (const { row, paths } of kinds) {
    const some = shuffled(paths().slice(0, EACH));
    const measure = {
      bar: 3,
      case: row,
      pressroom,
      baseline,
      paths: some,
      rate: 500,
      limit: LIMIT,
    };
    rows.push(await bench.attempt(3, row, () => measureUncached(bench, measure)));
  }
  return rows;
}

/** Pages of several sizes that have something on them. */
function pagesOf(path, count, deepest = DEEPEST) {
  return SIZES.flatMap((limit) =>
    Array.from(
      { length: Math.min(deepest, Math.ceil(count / limit)) },
      (_, index) => `${path}?page=${index + 1}&limit=${limit}`,
    ),
  );
}
