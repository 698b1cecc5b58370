/** What batching brings (docs/adr/0010): articles and lists that are not cached, with it and without. */
import { fileURLToPath } from 'node:url';
import { shuffled } from '../load/shuffle.mjs';
import { measureUncached } from '../uncached-reads.mjs';

export const name = 'batching';
export const bars = ['-'];
export const needs = { count: 1_000 };

const ENTRY = fileURLToPath(new URL('../baselines/without-batching.mjs', import.meta.url));
const LIMIT = { kind: 'none' };
const EACH = 500;

export async function run(bench) {
  const { slugs, tags } = bench.world;
  const kinds = [
    ['article by slug', slugs.map((slug) => `/blog/slug/${encodeURIComponent(slug)}`)],
    ['latest', pages('/blogs/latest')],
    ['by tag', tags.flatMap(({ tag }) => pages(`/blogs/tag/${encodeURIComponent(tag)}`, 10))],
  ];
  const env = { CACHE_MB: '0' };
  const pressroom = await bench.startPressroom(env);
  const baseline = await bench.startPressroom(env, { entry: ENTRY });
  const rows = [];
  for (const [what, paths] of kinds) {
    const row = `${what}, with batching over without`;
    if (!bench.wants(row)) continue;
    const some = shuffled(paths).slice(0, EACH);
    const measure = {
      bar: '-',
      case: row,
      pressroom,
      baseline,
      baselineHeaders: { 'x-api-key': bench.world.apiKey },
      paths: some,
      rate: 500,
      limit: LIMIT,
    };
    rows.push(await bench.attempt('-', row, () => measureUncached(bench, measure)));
  }
  return rows;
}

function pages(path, deepest = EACH) {
  return Array.from(
    { length: deepest },
    (_, index) => `${path}?page=${(index % 100) + 1}&limit=${5 + Math.floor(index / 100) * 5}`,
  );
}
