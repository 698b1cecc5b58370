import { LIVE_COPY, type StoredLiveFields } from '../blog-fields.js';

/** An expression for the value, as a literal: MongoDB would read a text such as `$title` as a path. */
export function literal(value: unknown): '$$REMOVE' | { readonly $literal: unknown } {
  return value === undefined || value === null ? '$$REMOVE' : { $literal: value };
}

/** An expression for each field of `live` but the times and words: the path of that field below `prefix`. */
export function copyFrom(prefix: '$' | '$live.'): Record<keyof StoredLiveFields, `$${string}`> {
  const paths = LIVE_COPY.map((field) => [field, `${prefix}${field}`]);
  return Object.fromEntries(paths) as ReturnType<typeof copyFrom>;
}

/** An expression for `live` with another `updatedAt`; a blog without a live version keeps none. */
export function liveAsOf(updatedAt: Date): { readonly $cond: unknown } {
  const changed = { $mergeObjects: ['$live', { updatedAt }] };
  return { $cond: [{ $gt: ['$live', null] }, changed, '$$REMOVE'] };
}

/** Number of former slugs that a blog keeps. */
export const FORMER_SLUGS_MAX = 20;

const FORMER = { $ifNull: ['$formerSlugs', []] };
const LIVE = { $cond: [{ $gt: ['$live.slug', null] }, ['$live.slug'], []] };

/** Expressions for `formerSlugs` after a transition, evaluated on the blog before it. */
export const formerAfter = {
  /**
   * The slug that was live becomes the newest former one; the slug that becomes live is removed
   * from them.
   */
  publish: newest({
    $filter: { input: { $concatArrays: [LIVE, FORMER] }, cond: { $ne: ['$$this', '$slug'] } },
  }),
  /**
   * The live slug becomes a former one, so that it still leads to the blog if that is published
   * again.
   */
  unpublish: newest({ $concatArrays: [LIVE, FORMER] }),
} as const;

/**
 * Expressions for the fields that a publication copies from the working copy.
 *
 * @param words words for the search (see SearchIndexer)
 */
export function publishedFields(now: Date, words: readonly string[] | undefined) {
  const publishedAt = { $ifNull: ['$publishedAt', now] };
  return {
    publishedAt,
    text: '$draftText',
    formerSlugs: formerAfter.publish,
    live: { at: publishedAt, updatedAt: now, words: literal(words), ...copyFrom('$') },
  } as const;
}

function newest(slugs: object): { readonly $let: unknown } {
  return {
    $let: {
      vars: { slugs: { $slice: [slugs, FORMER_SLUGS_MAX] } },
      in: { $cond: [{ $gt: [{ $size: '$$slugs' }, 0] }, '$$slugs', '$$REMOVE'] },
    },
  };
}
