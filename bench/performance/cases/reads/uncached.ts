/** Articles that are not in memory, each slug as likely as the next. */
import { shuffled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { articlePath } from '../../load/mixed-requests.ts';
import { measureUncached } from '../../load/uncached-reads.ts';
import type { Row } from '../../report.ts';

export const name = 'uncached';
export const needs = { count: 1_000 };

const ROW = 'article by slug, uncached';

export async function run(bench: Bench): Promise<Row[]> {
  if (!bench.wants(ROW)) return [];
  const pressroom = await bench.startPressroom({ CACHE_MB: '0' });
  const baseline = await bench.startBaseline('driver');
  const row = await measureUncached(
    bench,
    { pressroom, baseline },
    {
      case: ROW,
      paths: shuffled(bench.data.slugs).map(articlePath),
      limit: { kind: 'ratio-min', value: 2 },
    },
  );
  return [row];
}
