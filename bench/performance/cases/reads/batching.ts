/** What batching brings (docs/adr/0010): articles and lists that are not cached, with it and without. */
import { fileURLToPath } from 'node:url';
import { shuffled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { articlePath } from '../../load/mixed-requests.ts';
import { runUncached, UNCACHED } from '../../load/uncached-reads.ts';
import { NO_LIMIT, type Row } from '../../report.ts';

export const name = 'batching';
export const needs = { count: 1_000 };

const ENTRY = fileURLToPath(new URL('../../baselines/without-batching.ts', import.meta.url));
const EACH = 500;

export function run(bench: Bench): Promise<Row[]> {
  const { slugs, tags } = bench.data;
  const some = (paths: readonly string[]) => shuffled(paths).slice(0, EACH);
  const startBaseline = () => bench.startPressroom(UNCACHED, { entry: ENTRY });
  return runUncached(bench, NO_LIMIT, startBaseline, {
    'article by slug, with batching over without': () => some(slugs.map(articlePath)),
    'latest, with batching over without': () => some(pagesOf('/blogs/latest', EACH)),
    'by tag, with batching over without': () =>
      some(tags.flatMap(({ tag }) => pagesOf(`/blogs/tag/${encodeURIComponent(tag)}`, 10))),
  });
}

/** A hundred pages of a size, then as many of the next size. */
function pagesOf(path: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `${path}?page=${(index % 100) + 1}&limit=${5 + Math.floor(index / 100) * 5}`,
  );
}
