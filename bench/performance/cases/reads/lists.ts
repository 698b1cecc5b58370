/** Measures reads without cache: up to 500 pages of the latest articles, and up to 500 pages of articles by tag. */
import { shuffled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { runUncached } from '../../load/uncached-reads.ts';
import type { Row } from '../../report.ts';

export const name = 'lists';
export const needs = { count: 1_000 };

const PAGES_PER_ROW = 500;
/** Highest page number that is read; the case `depth` measures deeper pages. */
const PAGE_MAX = 100;
const PAGE_MAX_BY_TAG = 10;
const SIZES = [10, 20, 5, 15, 25, 12, 8, 30];

export function run(bench: Bench): Promise<Row[]> {
  const { count, tags } = bench.data;
  const draw = (paths: readonly string[]) => shuffled(paths.slice(0, PAGES_PER_ROW));
  return runUncached(
    bench,
    { kind: 'ratio-min', value: 0.9 },
    {
      'latest, uncached': () => draw(pagesOf('/blogs/latest', count, PAGE_MAX)),
      'by tag, uncached': () =>
        draw(
          tags.flatMap(({ tag, count: tagged }) =>
            pagesOf(`/blogs/tag/${encodeURIComponent(tag)}`, tagged, PAGE_MAX_BY_TAG),
          ),
        ),
    },
  );
}

/** Pages of several sizes that have items on them. */
function pagesOf(path: string, count: number, pageMax: number): string[] {
  return SIZES.flatMap((limit) =>
    Array.from(
      { length: Math.min(pageMax, Math.ceil(count / limit)) },
      (_, index) => `${path}?page=${index + 1}&limit=${limit}`,
    ),
  );
}
