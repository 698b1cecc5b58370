import { isDeepStrictEqual } from 'node:util';
import { contributorsAfter } from '../../contributors/contributors.js';
import { liveFields, workingFields } from '../../revisions/store/revision-fields.js';
import { LIVE_COPY, PUBLISHED_FIELDS, ruleOf, type StoredLiveFields } from '../blog-fields.js';
import type { Blog, UpdateStage } from '../blog.schema.js';
import { BLOG_STATES } from '../blog.state.js';

/**
 * An expression that stores the value, or removes the field if the value is null or undefined.
 * `$literal` keeps MongoDB from reading a text such as `$title` as a path.
 */
export function literal(value: unknown): '$$REMOVE' | { readonly $literal: unknown } {
  return value === undefined || value === null ? '$$REMOVE' : { $literal: value };
}

/**
 * For each field of `live` except the times and words, the path of the field below `prefix`, as an
 * expression.
 */
export function copyFrom(prefix: '$' | '$live.'): Record<keyof StoredLiveFields, `$${string}`> {
  const paths = LIVE_COPY.map((field) => [field, `${prefix}${field}`]);
  return Object.fromEntries(paths) as ReturnType<typeof copyFrom>;
}

const HAS_LIVE_VERSION = { $gt: ['$live', null] };

/**
 * An expression for whether the author's fields of the working copy are those of the live version.
 * Derived fields are not compared: a blog may have been published before they were derived differently.
 */
export const IS_UNEDITED = {
  $and: [
    HAS_LIVE_VERSION,
    ...PUBLISHED_FIELDS.map((name) => {
      const published = ruleOf(name).kind === 'html' ? '$text' : `$live.${name}`;
      return { $eq: [{ $ifNull: [`$${name}`, null] }, { $ifNull: [published, null] }] };
    }),
  ],
};

/** Whether IS_UNEDITED holds for a blog that was read. */
export function isUnedited(blog: Blog): boolean {
  const live = liveFields(blog);
  const working = workingFields(blog);
  const isSame = PUBLISHED_FIELDS.every((name) =>
    isDeepStrictEqual(working[name] ?? null, live[name] ?? null),
  );
  return Boolean(blog.live) && isSame;
}

/** An expression for `live` with a new `updatedAt`. A blog without a live version gets none. */
export function liveAsOf(updatedAt: Date): { readonly $cond: unknown } {
  const changed = { $mergeObjects: ['$live', { updatedAt }] };
  return { $cond: [HAS_LIVE_VERSION, changed, '$$REMOVE'] };
}

/** Number of former slugs that a blog keeps. */
export const FORMER_SLUGS_MAX = 20;

const FORMER_SLUGS = { $ifNull: ['$formerSlugs', []] };
const LIVE_SLUGS = { $cond: [{ $gt: ['$live.slug', null] }, ['$live.slug'], []] };

/** Expressions for `formerSlugs` after a transition, evaluated on the blog before it. */
const formerSlugsAfter = {
  /**
   * The slug that was live becomes the newest former slug. The slug that becomes live is removed
   * from the former slugs.
   */
  publish: newestSlugs({
    $filter: {
      input: { $concatArrays: [LIVE_SLUGS, FORMER_SLUGS] },
      cond: { $ne: ['$$this', '$slug'] },
    },
  }),
  /**
   * The live slug becomes a former slug, so that it leads to the blog again when the blog is
   * published again.
   */
  unpublish: newestSlugs({ $concatArrays: [LIVE_SLUGS, FORMER_SLUGS] }),
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
    formerSlugs: formerSlugsAfter.publish,
    live: { at: publishedAt, updatedAt: now, words: literal(words), ...copyFrom('$') },
  } as const;
}

/** The stages that take a live version down. The blog becomes a draft, unless its `status` is false. */
export function takenDown(now: Date): UpdateStage[] {
  return [
    { $set: { formerSlugs: formerSlugsAfter.unpublish } },
    { $unset: 'live' },
    {
      $set: {
        ...BLOG_STATES.draft,
        contributors: contributorsAfter.takedown,
        // A blog with `status: false` is deleted, and does not become a draft.
        drafted: { $ne: ['$status', false] },
        deletedAt: {
          $cond: [{ $eq: ['$status', false] }, { $ifNull: ['$deletedAt', now] }, '$deletedAt'],
        },
      },
    },
  ];
}

function newestSlugs(slugs: object): { readonly $let: unknown } {
  return {
    $let: {
      vars: { slugs: { $slice: [slugs, FORMER_SLUGS_MAX] } },
      in: { $cond: [{ $gt: [{ $size: '$$slugs' }, 0] }, '$$slugs', '$$REMOVE'] },
    },
  };
}
