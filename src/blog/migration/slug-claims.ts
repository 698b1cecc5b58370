import { KeySet } from '../../database/migrations/key-set.js';
import { creationTime, storedText } from '../../database/migrations/stored-values.js';
import type { StoredRecord } from '../../database/migrations/update-records.js';
import { isUsableSlug, normalizeSlug, slugCandidates, slugFromTitle } from '../text/slug.js';

/** Ten times what a slug may hold; what an older server stored has no bound. */
const LENGTH_READ = 2_000;

/** What `readSlugClaims` needs of a blog. */
export const SLUG_CLAIM_FIELDS = [
  'slug',
  'slugs',
  'title',
  'status',
  'published',
  'live.slug',
  'createdAt',
] as const;

/** In the order in which they are served when several blogs claim one slug. */
enum Right {
  /** It is in the blog's `slugs` already. */
  Held,
  /** The blog has it, perhaps in another spelling. */
  Own,
  /** The blog has none, and its title comes to it. */
  Made,
}

interface Claim {
  readonly id: string;
  readonly slug: string;
  readonly right: Right;
  readonly created: number;
}

export interface Resolution {
  readonly slug: string;
  /** The blog that keeps the slug that was asked for; null when it is this one. */
  readonly keeper: string | null;
}

/** Which blog gets which slug. */
export class SlugClaims {
  private readonly lost = new Map<string, Resolution>();

  /** @param id of a blog @param slug one that it claims, in its normal form */
  resolve(id: string, slug: string): Resolution {
    return this.lost.get(keyOf(id, slug)) ?? { slug, keeper: null };
  }

  lose(id: string, slug: string, resolution: Resolution): void {
    this.lost.set(keyOf(id, slug), resolution);
  }
}

/** The normal form of a stored slug, else what the title comes to. */
export function workingSlug({ slug, title }: StoredRecord): {
  readonly slug: string;
  readonly isMade: boolean;
} {
  const own = normalizeSlug((storedText(slug) ?? '').slice(0, LENGTH_READ));
  if (isUsableSlug(own)) return { slug: own, isMade: false };
  const isTooLong = slugFromTitle(own).length < own.length;
  const source = isTooLong ? own : (storedText(title) ?? '').slice(0, LENGTH_READ);
  return { slug: slugFromTitle(source), isMade: true };
}

/**
 * Decides every slug that several blogs claim once spelt in its normal form: who holds it already
 * keeps it, else the older (contract, section 9). The others get an ending that no blog claims.
 *
 * The same records come to the same decision. Only contested slugs are held in memory.
 *
 * @param read the blogs with SLUG_CLAIM_FIELDS, from the start each time it is called
 */
export async function readSlugClaims(read: () => AsyncIterable<StoredRecord>): Promise<SlugClaims> {
  const taken = new KeySet();
  const contested = new Set<string>();
  for await (const blog of read()) {
    for (const { slug } of claimsOf(blog)) {
      if (!taken.add(slug)) contested.add(slug);
    }
  }
  const decided = new SlugClaims();
  if (contested.size === 0) return decided;
  const claims: Claim[] = [];
  for await (const blog of read()) {
    claims.push(...claimsOf(blog).filter(({ slug }) => contested.has(slug)));
  }
  const keepers = new Map<string, string>();
  for (const { id, slug } of claims.sort(byPrecedence)) {
    const keeper = keepers.get(slug);
    if (keeper === undefined) keepers.set(slug, id);
    else decided.lose(id, slug, { slug: freeSlug(slug, id, taken), keeper });
  }
  return decided;
}

/** The working slug, and the live one where it is another; none of a deleted blog. */
function claimsOf(blog: StoredRecord): Claim[] {
  if (blog['status'] === false) return [];
  const id = String(blog._id);
  const created = creationTime(blog).getTime();
  const held = Array.isArray(blog['slugs']) ? (blog['slugs'] as unknown[]) : [];
  const { slug, isMade } = workingSlug(blog);
  const liveSlug = storedText((blog['live'] as { slug?: unknown } | undefined)?.slug);
  const slugs = new Set([
    slug,
    ...(blog['published'] === true && liveSlug !== null ? [liveSlug] : []),
  ]);
  return [...slugs].map((claimed) => ({
    id,
    slug: claimed,
    right: held.includes(claimed)
      ? Right.Held
      : isMade && claimed === slug
        ? Right.Made
        : Right.Own,
    created,
  }));
}

function byPrecedence(a: Claim, b: Claim): number {
  return a.right - b.right || a.created - b.created || (a.id < b.id ? -1 : 1);
}

/** `-2` to `-9`, then endings from the id: a dry run must announce the slug that the run gives. */
function freeSlug(base: string, id: string, taken: KeySet): string {
  const endings = [id.slice(-6), id.slice(-12), id];
  const [, ...candidates] = slugCandidates(base, () => endings.shift() ?? id);
  return candidates.find((candidate) => taken.add(candidate)) ?? id;
}

function keyOf(id: string, slug: string): string {
  return `${id} ${slug}`;
}
