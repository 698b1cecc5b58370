import { HAS_LIVE } from '../../core/blog.indexes.js';
import { IS_PUBLIC, type Blog, type UpdateStage } from '../../core/blog.schema.js';
import type { Folding } from './folding.schema.js';
import type { ListRecord } from './list-record.schema.js';
import type { PublicChange } from './public-change.schema.js';
import { ALL_BLOGS, authorList, tagList } from './list-names.js';

type Sign = '-' | '+';

/** Whether a public list may have the blog: the aggregation form of IS_LIVE. */
const IS_SHOWN = {
  $and: [
    ...Object.entries(IS_PUBLIC).map(([flag, value]) => ({ $eq: [`$${flag}`, value] })),
    { $gt: ['$live.at', HAS_LIVE['live.at'].$gt] },
  ],
};

/** An expression for the lists that have the blog, each after the sign. */
function shownIn(sign: Sign): object {
  // A record of an older server may have no author.
  const author = { $ifNull: [{ $toString: '$author' }, ''] };
  const tags = {
    $map: {
      input: { $ifNull: ['$live.tagKeys', []] },
      in: { $concat: [sign, tagList(''), '$$this'] },
    },
  };
  const all = [sign + ALL_BLOGS, { $concat: [`${sign}author:`, author] }];
  return { $cond: [IS_SHOWN, { $concatArrays: [all, tags] }, []] };
}

/** The first stage of a transition that readers see, before any stage that changes what they see. */
export const COUNTED_BEFORE = { $set: { countedBefore: shownIn('-') } } as unknown as UpdateStage;

/** The last stages of a transition that readers see. They store nothing if no list has the blog before or afterwards. */
export function publicChangeStages(
  at: Date,
  spellings: NonNullable<PublicChange['spellings']> = [],
): UpdateStage[] {
  const change = {
    rev: '$rev',
    at,
    lists: { $concatArrays: ['$countedBefore', shownIn('+')] },
    ...(spellings.length > 0 ? { spellings: { $literal: spellings } } : {}),
  };
  const changes = { $concatArrays: [{ $ifNull: ['$publicChanges', []] }, [change]] };
  const isShown = { $ne: [change.lists, []] };
  return [
    { $set: { publicChanges: { $cond: [isShown, changes, '$publicChanges'] } } },
    { $unset: 'countedBefore' },
  ] as unknown as UpdateStage[];
}

/** The changes that the insertion of a live blog makes. */
export function publicChangesOf(
  { author, live, rev }: Pick<Blog, 'author' | 'live' | 'rev'>,
  at: Date,
): readonly PublicChange[] {
  if (!live) return [];
  const lists = [ALL_BLOGS, authorList(author), ...live.tagKeys.map(tagList)];
  return [{ rev, at, lists: lists.map((list) => `+${list}`) }];
}

/** Matches blogs, and tombstones, with changes: each change names the list of all blogs. */
export const HAS_PUBLIC_CHANGES = {
  'publicChanges.lists': { $in: [`+${ALL_BLOGS}`, `-${ALL_BLOGS}`] },
};

/** What changes do to a list. */
export interface ListChange {
  readonly count: number;
  /** When a blog last may have left the list; null if none may have. */
  readonly changedAt: Date | null;
}

/** @returns what the changes do to each list that they name */
export function changesOfLists(changes: readonly PublicChange[]): ReadonlyMap<string, ListChange> {
  const lists = new Map<string, ListChange>();
  for (const { at, lists: signed } of changes) {
    for (const each of signed) {
      const list = each.slice(1);
      const { count, changedAt } = lists.get(list) ?? { count: 0, changedAt: null };
      lists.set(
        list,
        each.startsWith('+')
          ? { count: count + 1, changedAt }
          : { count: count - 1, changedAt: laterOf(changedAt, at) },
      );
    }
  }
  return lists;
}

/** A blog with changes that are not folded yet. */
export type ChangedBlog = Required<Pick<Blog, '_id' | 'publicChanges'>>;

/** The fields of a changed blog that counts need. */
export const WITHOUT_SPELLINGS = {
  'publicChanges.rev': 1,
  'publicChanges.at': 1,
  'publicChanges.lists': 1,
} as const;

/** The changes that are in blogs, and what is missing of them in the records of lists. */
export class PendingChanges {
  private readonly all: ReadonlyMap<string, ListChange>;
  /** Without those of the present folding. */
  private readonly later: ReadonlyMap<string, ListChange>;
  private readonly folding: number | undefined;

  /** @param folding the present folding; null if there is none */
  constructor(blogs: readonly ChangedBlog[], folding: Pick<Folding, 'folding' | 'blogs'> | null) {
    this.folding = folding?.folding;
    const folded = new Map(folding?.blogs.map(({ _id, rev }) => [_id.toHexString(), rev]));
    const later = blogs.flatMap(({ _id, publicChanges }) =>
      publicChanges.filter(({ rev }) => rev > (folded.get(_id.toHexString()) ?? 0)),
    );
    this.all = changesOfLists(blogs.flatMap(({ publicChanges }) => publicChanges));
    this.later = changesOfLists(later);
  }

  /** What has to be added to the record of a list. */
  missingIn(list: string, record: Pick<ListRecord, 'folding'> | undefined): ListChange {
    const hasFolding = this.folding !== undefined && record?.folding === this.folding;
    return (hasFolding ? this.later : this.all).get(list) ?? { count: 0, changedAt: null };
  }
}

/** @returns the later of two times; null stands for none */
export function laterOf(one: Date | null | undefined, other: Date | null | undefined): Date | null {
  if (!one || !other) return one ?? other ?? null;
  return one > other ? one : other;
}
