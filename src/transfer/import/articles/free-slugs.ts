import { slugCandidates } from '../../../blog/core/text/slug.js';

/**
 * Gives each article the slug that it wants or, if the slug is taken, the first free one with a suffix.
 *
 * @param wanted slugs in normal form
 * @param claimed slugs that were given to articles before; the slugs that are given here are added
 * @param takenOf returns which of the slugs stored blogs have
 */
export async function freeSlugs(
  wanted: readonly string[],
  claimed: Set<string>,
  takenOf: (slugs: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const taken = await takenOf(wanted);
  const first = wanted.map((slug) => (taken.has(slug) ? null : claim(claimed, [slug])));
  const others = wanted.map((slug, at) => (first[at] === null ? [...slugCandidates(slug)] : []));
  const isCrowded = others.some((candidates) => candidates.length > 0);
  const takenToo = isCrowded ? await takenOf(others.flat()) : taken;
  return others.map((candidates, at) => {
    const free = candidates.filter((slug) => !takenToo.has(slug));
    // The last candidates are random, so one of them is free.
    return first[at] ?? claim(claimed, free) ?? wanted[at] ?? '';
  });
}

function claim(claimed: Set<string>, slugs: readonly string[]): string | null {
  const free = slugs.find((slug) => !claimed.has(slug));
  if (free !== undefined) claimed.add(free);
  return free ?? null;
}
