import type { Types } from 'mongoose';
import type { Blog } from '../core/blog.schema.js';
import { stateCondition } from '../core/blog.state.js';

/** The fields that say who wrote a blog. */
type Written = Pick<
  Blog,
  | 'author'
  | 'createdBy'
  | 'publishedAt'
  | 'contributors'
  | 'contributorsSince'
  | 'submitters'
  | 'liveSubmitters'
  | 'revisions'
>;

type Users = readonly Types.ObjectId[];
type Revisions = NonNullable<Blog['revisions']>;

/**
 * Who wrote what a publication would make live: since the last publication, or since an ADMIN cleared
 * the contributors.
 *
 * An older server maintains only `submitters` and `revisions`, and a blog of an older version may lack
 * `contributors`. So all of them count, whatever wrote the blog.
 */
export function contributorsOf(blog: Written): Users {
  const { author, createdBy, publishedAt, contributors = [], submitters = [] } = blog;
  const { revisions = [], contributorsSince: clearedAt = 0 } = blog;
  const since = Math.max(clearedAt, publicationBefore(revisions, Infinity));
  // Only `createdBy` knows the first author of a draft that an older server has handed over.
  const creators = clearedAt === 0 && !publishedAt && createdBy ? [createdBy] : [];
  return [author, ...creators, ...contributors, ...submitters, ...writersOf(revisions, since)];
}

/** Who wrote the live version, as `contributorsOf`. */
export function liveContributorsOf(blog: Written): Users {
  const { author, liveSubmitters = [], revisions = [], contributorsSince: clearedAt = 0 } = blog;
  const published = publicationBefore(revisions, Infinity);
  const since = Math.max(clearedAt, publicationBefore(revisions, published));
  return [author, ...liveSubmitters, ...writersOf(revisions, since, published)];
}

/** Who wrote a revision, whose restoration makes them contributors again. */
export function contributorsOfRevision(revisions: Revisions, rev: number): Users {
  return writersOf(revisions, publicationBefore(revisions, rev), rev);
}

/** The revision number of the last publication before this one; 0 if there is none. */
function publicationBefore(revisions: Revisions, rev: number): number {
  const publications = revisions.filter((each) => each.move === 'publish' && each.rev < rev);
  return Math.max(0, ...publications.map((each) => each.rev));
}

/** Who submitted and corrected the revisions after `since` up to `last`. */
function writersOf(revisions: Revisions, since: number, last = Infinity): Users {
  return revisions
    .filter(({ move, rev }) => move !== 'publish' && rev > since && rev <= last)
    .flatMap(({ by }) => by ?? []);
}

/** The stored contributors, as an expression. A blog of an older version begins with its submitters. */
const STORED = { $ifNull: ['$contributors', '$submitters', []] };

/** Expressions for `contributors` after a transition, evaluated on the blog before it. */
export const contributorsAfter = {
  /** @param users who has written something of the working copy */
  writing: (users: Users) => ({ $setUnion: [STORED, users] }),
  /** What the author has written and not published becomes part of the new author's blog. */
  handOver: {
    $cond: [stateCondition('live'), '$contributors', { $setUnion: [STORED, ['$author']] }],
  },
  /** The live version becomes a draft, which may be published again. */
  takedown: { $setUnion: [STORED, { $ifNull: ['$liveSubmitters', []] }] },
} as const;

/** An expression for the submitters of a version: an older server asks these alone. */
export const SUBMITTERS = { $setUnion: [STORED, { $ifNull: ['$submitters', []] }] } as const;

/** The fields of a blog to which nobody but its author counts as a contributor. */
export const CLEARED_CONTRIBUTORS = {
  contributors: [],
  submitters: [],
  liveSubmitters: [],
  contributorsSince: { $add: [{ $ifNull: ['$rev', 0] }, 1] },
} as const;
