/** How many former slugs a blog keeps. */
export const FORMER_SLUGS_MAX = 20;

const FORMER = { $ifNull: ['$formerSlugs', []] };
const LIVE = { $cond: [{ $gt: ['$live.slug', null] }, ['$live.slug'], []] };

/**
 * An expression for `formerSlugs` after a publication: the slug that was live comes first, and the one that
 * becomes live is no former one. It is evaluated on the blog before the move.
 */
export const FORMER_AFTER_PUBLISH = newest({
  $filter: { input: { $concatArrays: [LIVE, FORMER] }, cond: { $ne: ['$$this', '$slug'] } },
});

/** The same after the live version was removed, for the case that the blog is published again. */
export const FORMER_AFTER_UNPUBLISH = newest({ $concatArrays: [LIVE, FORMER] });

function newest(slugs: object): { readonly $let: unknown } {
  return {
    $let: {
      vars: { slugs: { $slice: [slugs, FORMER_SLUGS_MAX] } },
      in: { $cond: [{ $gt: [{ $size: '$$slugs' }, 0] }, '$$slugs', '$$REMOVE'] },
    },
  };
}
