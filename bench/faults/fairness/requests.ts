import type { Content } from '../../attacks/content.ts';
import { cycled } from '../../support/statistics.ts';
import { textOf, type Sent } from '../overload/requests.ts';

function get(kind: Sent['kind'], path: string): Sent {
  return { kind, text: textOf('GET', path) };
}

/** A cached article, articles and lists that are in no cache, and a search after each thirty. */
export function readerOf({ article, ids }: Content): readonly Sent[] {
  return ids
    .slice(0, 300)
    .flatMap((id, at) => [
      get('read', article),
      get('read', `/blog/id/${id}?uncached`),
      get('read', `/blogs/tag/bench?limit=20&page=${1 + (at % 20)}&uncached`),
      ...(at % 10 === 9 ? [get('expensive-read', `/blogs/search?q=reader${at}+words&n`)] : []),
    ]);
}

/** The requests are others in each round: none is in a cache, and no two are the same. */
export function expensiveOf({ ids }: Content, round: number): readonly Sent[] {
  const count = 2_000;
  return Array.from({ length: count }, (_, index) => {
    const at = round * count + index;
    const paths = [
      `/blogs/latest?page=${101 + (at % 100)}&limit=${99 + (at % 2)}&n=${at}`,
      `/blogs/tag/attack?total=true&limit=${1 + (at % 100)}&from=2000-01-01T00:00:00.${String(at % 1_000).padStart(3, '0')}Z`,
      `/blogs/similar/id/${cycled(ids, at)}?n=${at}`,
      `/blogs/search?q=one+of+many+articles+words+${at}&n`,
    ];
    return get('expensive-read', cycled(paths, at));
  });
}
