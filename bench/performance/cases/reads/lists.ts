/** Measures reads of a thousand different pages of lists without cache, of the latest articles and by tag. */
import { shuffled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { runUncached } from '../../load/uncached-reads.ts';
import type { Row } from '../../report.ts';

export const name = 'lists';
export const needs = { count: 1_000 };

const PAGES_PER_ROW = 500;
/** Highest page number that is read; the case `depth` measures deeper pages. */
const DEEPEST = 100;
const DEEPEST_BY_TAG = 10;
const SIZES = [10, 20, 5, 15, 25, 12, 8, 30];

export function run(bench: Bench): Promise<Row[]> {
  const { count, tags } = bench.data;
  const some = (paths: readonly string[]) => shuffled(paths.slice(0, PAGES_PER_ROW));
  return runUncached(
    bench,
    { kind: 'ratio-min', value: 0.9 },
    {
      'latest, uncached': () => some(pagesOf('/blogs/latest', count, DEEPEST)),
      'by tag, uncached': () =>
        some(
          tags.flatMap(({ tag, count: tagged }) =>
            pagesOf(`/blogs/tag/${encodeURIComponent(tag)}`, tagged, DEEPEST_BY_TAG),
          ),
        ),
    },
  );
}

/** Pages of several sizes that have items on them. */
function pagesOf(path: string, count: number, deepest: number): string[] {
  return SIZES.flatMap((limit) =>
    Array.from(
      { length: Math.min(deepest, Math.ceil(count / limit)) },
      (_, index) => `${path}?page=${index + 1}&limit=${limit}`,
    ),
  );
}
