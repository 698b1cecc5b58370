/** Measures reads of articles without cache, in random order. */
import { shuffled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { articlePath } from '../../load/answers.ts';
import { runUncached } from '../../load/uncached-reads.ts';
import type { Row } from '../../report.ts';

export const name = 'uncached';
export const needs = { count: 1_000 };

export function run(bench: Bench): Promise<Row[]> {
  return runUncached(
    bench,
    { kind: 'ratio-min', value: 2 },
    {
      'article by slug, uncached': () => shuffled(bench.data.slugs).map(articlePath),
    },
  );
}
