/** Bar 2: articles that are not in memory, each slug as likely as the next. */
import { shuffled } from '../load/shuffle.mjs';
import { measureUncached } from '../uncached-reads.mjs';

export const name = 'uncached';
export const bars = [2];
export const needs = { count: 1_000 };

const ROW = 'article by slug, uncached';

export async function run(bench) {
  if (!bench.wants(ROW)) return [];
  const pressroom = await bench.startPressroom({ CACHE_MB: '0' });
  const baseline = await bench.startBaseline('driver');
  const row = await measureUncached(bench, {
    bar: 2,
    case: ROW,
    pressroom,
    baseline,
    paths: shuffled(bench.world.slugs).map((slug) => `/blog/slug/${encodeURIComponent(slug)}`),
    rate: 500,
    limit: { kind: 'ratio-min', value: 2 },
  });
  return [row];
}
