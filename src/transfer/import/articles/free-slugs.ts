import type { BlogImportService } from '../../../blog/core/import/blog-import.service.js';
import { slugCandidates } from '../../../blog/core/text/slug.js';
import { takenSlugs } from './stored-blogs.js';

/**
 * Gives each article the slug that it wants or, if the slug is taken, the first free one with a suffix.
 *
 * @param wanted slugs in normal form
 * @param claimed slugs that were given to articles before; the slugs that are given here are added
 * @param imports finds the slugs that stored blogs have or once had
 */
export async function freeSlugs(
  wanted: readonly string[],
  claimed: Set<string>,
  imports: BlogImportService,
): Promise<string[]> {
  const taken = await takenSlugs(imports, wanted);
  const firstChoices = wanted.map((slug) => (taken.has(slug) ? null : claim(claimed, [slug])));
  const candidates = wanted.map((slug, index) =>
    firstChoices[index] === null ? [...slugCandidates(slug)] : [],
  );
  const isAnyTaken = candidates.some((slugs) => slugs.length > 0);
  const takenCandidates = isAnyTaken ? await takenSlugs(imports, candidates.flat()) : taken;
  return candidates.map((slugs, index) => {
    const free = slugs.filter((slug) => !takenCandidates.has(slug));
    // The last candidates are random, so one of them is free.
    return firstChoices[index] ?? claim(claimed, free) ?? wanted[index] ?? '';
  });
}

function claim(claimed: Set<string>, slugs: readonly string[]): string | null {
  const free = slugs.find((slug) => !claimed.has(slug));
  if (free !== undefined) claimed.add(free);
  return free ?? null;
}
