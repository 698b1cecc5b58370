import { KeySet } from '../../../platform/database/migrations/key-set.js';
import { creationTime, storedText } from '../../../platform/database/migrations/stored-values.js';
import type { StoredRecord } from '../../../platform/database/migrations/update-records.js';
import { isRootName } from '../text/slugs/reserved-slugs.js';
import { isUsableSlug, normalizeSlug, slugCandidates, slugFromTitle } from '../text/slug.js';

/**
 * Longest part of a stored slug or title that is read, in characters: an older server did not limit
 * their length.
 */
const LENGTH_READ = 2_000;

/** The fields of a blog that `readSlugClaims` reads. */
export const SLUG_CLAIM_FIELDS = [
  'slug',
  'slugs',
  'formerSlugs',
  'title',
  'status',
  'published',
  'live.slug',
  'createdAt',
] as const;

/**
 * Why a blog claims a slug. If several blogs claim the same slug, the first reason in this order
 * wins.
 */
enum ClaimPriority {
  /** The slug is in the blog's `slugs` already. */
  Assigned,
  /** The blog has the slug, perhaps in another spelling. */
  Stored,
  /** The blog has no usable slug, and this one is made from its long slug or its title. */
  Generated,
}

interface Claim {
  readonly id: string;
  readonly slug: string;
  readonly priority: ClaimPriority;
  readonly created: number;
}

export interface Resolution {
  /** The slug that the blog gets. */
  readonly slug: string;
  /** The id of the blog that keeps the claimed slug; null if the blog itself gets it. */
  readonly ownerBlogId: string | null;
}

/** Which blog gets which slug, as `readSlugClaims` decided. */
export class SlugClaims {
  private readonly lost = new Map<string, Resolution>();

  /**
   * @param id the id of a blog
   * @param slug a slug that this blog claims, in its normal form
   */
  resolve(id: string, slug: string): Resolution {
    return this.lost.get(keyOf(id, slug)) ?? { slug, ownerBlogId: null };
  }

  recordLost(id: string, slug: string, resolution: Resolution): void {
    this.lost.set(keyOf(id, slug), resolution);
  }
}

/**
 * The normal form of a stored slug. A slug that is too long is cut; another unusable slug is
 * replaced by one that is made from the title.
 */
export function workingSlug({ slug, title }: StoredRecord): {
  readonly slug: string;
  readonly isGenerated: boolean;
} {
  const own = normalSlug(slug);
  if (isUsableSlug(own)) return { slug: own, isGenerated: false };
  const isTooLong = slugFromTitle(own).length < own.length;
  const source = isTooLong ? own : (storedText(title) ?? '').slice(0, LENGTH_READ);
  const made = [...slugCandidates(slugFromTitle(source))];
  // The migration does not know where articles stand, so no made slug is a name of the root.
  return { slug: made.find((each) => !isRootName(each)) ?? own, isGenerated: true };
}

function normalSlug(slug: unknown): string {
  return normalizeSlug((storedText(slug) ?? '').slice(0, LENGTH_READ));
}

/** The live version with its slug, as a record stores it. */
type StoredLive = { readonly slug?: unknown } | null | undefined;

/**
 * The slug of the live version in its normal form. If nothing is left of it, the blog is live under its
 * working slug; null without a live version.
 */
export function liveSlug(blog: StoredRecord): string | null {
  const stored = storedText((blog['live'] as StoredLive)?.slug);
  if (blog['published'] !== true || stored === null) return null;
  const normal = normalSlug(stored);
  return isUsableSlug(normal) ? normal : workingSlug(blog).slug;
}

/**
 * The slugs that lead to the blog by a redirect: its former slugs, and the slug of its live version if an
 * earlier version has stored it in another normal form. All stay as they are, because links have them.
 */
export function redirectedSlugs(blog: StoredRecord): string[] {
  const former = Array.isArray(blog['formerSlugs']) ? (blog['formerSlugs'] as unknown[]) : [];
  const live = storedText((blog['live'] as StoredLive)?.slug);
  const isOutdated = blog['published'] === true && live !== null && normalSlug(live) !== live;
  const slugs = [...(isOutdated ? [live] : []), ...former];
  return [...new Set(slugs.filter((slug) => typeof slug === 'string'))];
}

/**
 * Decides which blog gets a slug that several blogs claim in its normal form: the first by
 * `ClaimPriority`, then the oldest. For each other blog, an ending is added to the slug,
 * so that no other blog claims it.
 *
 * The same records always lead to the same decision. Of the claims, only those to contested slugs are
 * kept in memory.
 *
 * @param read reads all blogs with SLUG_CLAIM_FIELDS; called twice if there are contested slugs
 */
export async function readSlugClaims(read: () => AsyncIterable<StoredRecord>): Promise<SlugClaims> {
  const taken = new KeySet();
  const contested = new Set<string>();
  for await (const blog of read()) {
    for (const { slug } of claimsOf(blog)) {
      if (!taken.add(slug)) contested.add(slug);
    }
  }
  const result = new SlugClaims();
  if (contested.size === 0) return result;
  const claims: Claim[] = [];
  for await (const blog of read()) {
    claims.push(...claimsOf(blog).filter(({ slug }) => contested.has(slug)));
  }
  const ownerBySlug = new Map<string, string>();
  for (const { id, slug } of claims.sort(byPriority)) {
    const ownerBlogId = ownerBySlug.get(slug);
    if (ownerBlogId === undefined) ownerBySlug.set(slug, id);
    else result.recordLost(id, slug, { slug: freeSlug(slug, id, taken), ownerBlogId });
  }
  return result;
}

/** The claims of a blog to its working, live and former slugs. A deleted blog claims none. */
function claimsOf(blog: StoredRecord): Claim[] {
  if (blog['status'] === false) return [];
  const id = String(blog._id);
  const created = creationTime(blog).getTime();
  const assigned = Array.isArray(blog['slugs']) ? (blog['slugs'] as unknown[]) : [];
  const { slug, isGenerated } = workingSlug(blog);
  const slugs = new Set([slug, liveSlug(blog) ?? slug, ...redirectedSlugs(blog)]);
  return [...slugs].map((claimed) => ({
    id,
    slug: claimed,
    priority: assigned.includes(claimed)
      ? ClaimPriority.Assigned
      : isGenerated && claimed === slug
        ? ClaimPriority.Generated
        : ClaimPriority.Stored,
    created,
  }));
}

function byPriority(a: Claim, b: Claim): number {
  return a.priority - b.priority || a.created - b.created || (a.id < b.id ? -1 : 1);
}

/** Tries `-2` to `-9`, then endings made of the id, so that a dry run and the migration give the same slug. */
function freeSlug(base: string, id: string, taken: KeySet): string {
  const endings = [id.slice(-6), id.slice(-12), id];
  const [, ...candidates] = slugCandidates(base, () => endings.shift() ?? id);
  return candidates.find((candidate) => taken.add(candidate)) ?? id;
}

function keyOf(id: string, slug: string): string {
  return `${id} ${slug}`;
}
