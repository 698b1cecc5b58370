import type { Types } from 'mongoose';
import { LIVE_COPY, type WorkingCopyChanges } from './blog-fields.js';
import type { BlogFilter, LiveBlog, UpdateStage } from './blog.schema.js';
import { appendEvent, type Targets } from './events/event-stages.js';

/** The stored state: three booleans (docs/adr/0003). */
export interface BlogFlags {
  readonly submitted: boolean;
  readonly drafted: boolean;
  readonly published: boolean;
}

/** What decides about a move: the flags, whether the record counts, and whether a live version is stored. */
export interface StoredState extends BlogFlags {
  readonly status: boolean;
  readonly live?: unknown;
}

export const BLOG_STATES = {
  draft: { submitted: false, drafted: true, published: false },
  'in review': { submitted: true, drafted: false, published: false },
  live: { submitted: false, drafted: false, published: true },
  'live with draft': { submitted: false, drafted: true, published: true },
  'live in review': { submitted: true, drafted: false, published: true },
} as const satisfies Record<string, BlogFlags>;

export type BlogState = keyof typeof BLOG_STATES;

/** Defined for every combination of flags: an older server stored others than those above. */
export function stateOf({ submitted, drafted, published }: BlogFlags): BlogState {
  if (submitted) return published ? 'live in review' : 'in review';
  if (published) return drafted ? 'live with draft' : 'live';
  return 'draft';
}

interface Move {
  /** Follows "cannot be" in a refusal. */
  readonly done: string;
  /** States it may start from; the precondition says the same to the database. */
  readonly from: readonly BlogState[];
  /** What the states become, for the event of the move; a state that is not listed stays. */
  readonly to: Targets;
  readonly precondition: BlogFilter;
  /**
   * Whether it starts from whatever has a live version as well. Somebody may have taken a blog down
   * in the database, by `published` or `status` alone: readers do not see it, `live` is still there,
   * and the move finishes what was begun.
   */
  readonly reachesHidden: boolean;
  /**
   * What the caller gets: the document after the move, or the one before it with these flags. An
   * editor who takes a blog down is shown what was live, not the draft that nobody submitted.
   */
  readonly answers: 'after' | ((before: StoredState) => BlogFlags);
  /**
   * Whether it ends a blog whose author's account is gone, record and all: as a draft nobody could
   * reach it, and it would keep its slug for ever.
   */
  readonly endsWithoutAuthor: boolean;
  /** Whether readers may see another thing after it. */
  readonly isPublic: boolean;
  /** The stages that are particular to the move. */
  readonly update: (now: Date) => readonly UpdateStage[];
}

/** Of a deleted blog, which is in no list. */
const DELETED: BlogFlags = { submitted: false, drafted: false, published: false };

type Fields = Extract<UpdateStage, { readonly $set: object }>['$set'];

const set = (fields: Fields): UpdateStage => ({ $set: fields });

/** Every field that `live` has in common with the working copy, as a path below `prefix`. */
function copyFrom<Prefix extends '$' | '$live.'>(
  prefix: Prefix,
): Record<keyof Omit<LiveBlog, 'at'>, `${Prefix}${string}`> {
  const paths = LIVE_COPY.map((field) => [field, `${prefix}${field}`]);
  return Object.fromEntries(paths) as ReturnType<typeof copyFrom<Prefix>>;
}

/**
 * Every move of a blog. A move is one atomic conditional write: the precondition in its filter, the
 * update as a pipeline on the document that it matched.
 */
export const MOVES = {
  edit: {
    done: 'edited',
    from: ['draft', 'live', 'live with draft'],
    to: { live: 'live with draft' },
    precondition: { submitted: { $ne: true } },
    reachesHidden: false,
    answers: 'after',
    endsWithoutAuthor: false,
    isPublic: false,
    update: () => [set({ submitted: false, drafted: true })],
  },
  submit: {
    done: 'submitted',
    from: ['draft', 'live with draft'],
    to: { draft: 'in review', 'live with draft': 'live in review' },
    // A record of an older server without any flag is a draft as well.
    precondition: {
      submitted: { $ne: true },
      $or: [{ drafted: true }, { published: { $ne: true } }],
    },
    reachesHidden: false,
    answers: 'after',
    endsWithoutAuthor: false,
    isPublic: false,
    update: () => [set({ submitted: true, drafted: false })],
  },
  withdraw: {
    done: 'withdrawn',
    from: ['in review', 'live in review'],
    to: { 'in review': 'draft', 'live in review': 'live with draft' },
    precondition: { submitted: true },
    reachesHidden: false,
    answers: 'after',
    endsWithoutAuthor: false,
    isPublic: false,
    update: () => [set({ submitted: false, drafted: true })],
  },
  discard: {
    done: 'discarded',
    from: ['live with draft'],
    to: 'live',
    precondition: { submitted: { $ne: true }, published: true, drafted: true },
    reachesHidden: false,
    answers: 'after',
    endsWithoutAuthor: false,
    isPublic: false,
    update: () => [
      set({
        // An optional field that is missing in `live` becomes missing here as well.
        ...copyFrom('$live.'),
        draftText: '$text',
        ...BLOG_STATES.live,
      }),
    ],
  },
  publish: {
    done: 'published',
    from: ['in review', 'live in review'],
    to: 'live',
    precondition: { submitted: true },
    reachesHidden: false,
    answers: 'after',
    endsWithoutAuthor: false,
    isPublic: true,
    update: (now) => {
      const publishedAt = { $ifNull: ['$publishedAt', now] };
      return [
        set({
          publishedAt,
          text: '$draftText',
          live: { at: publishedAt, ...copyFrom('$') },
          ...BLOG_STATES.live,
        }),
      ];
    },
  },
  unpublish: {
    done: 'unpublished',
    from: ['live', 'live with draft', 'live in review'],
    to: {
      'in review': 'draft',
      live: 'draft',
      'live with draft': 'draft',
      'live in review': 'draft',
    },
    precondition: { published: true },
    reachesHidden: true,
    answers: ({ status }) => (status === false ? DELETED : BLOG_STATES.draft),
    endsWithoutAuthor: true,
    isPublic: true,
    update: (now) => [
      { $unset: 'live' },
      set({
        ...BLOG_STATES.draft,
        // What `status` has hidden is deleted, and stays so.
        drafted: { $ne: ['$status', false] },
        deletedAt: {
          $cond: [{ $eq: ['$status', false] }, { $ifNull: ['$deletedAt', now] }, '$deletedAt'],
        },
      }),
    ],
  },
  delete: {
    done: 'deleted',
    from: ['draft', 'in review', 'live', 'live with draft', 'live in review'],
    to: 'deleted',
    precondition: {},
    reachesHidden: true,
    answers: 'after',
    endsWithoutAuthor: false,
    isPublic: true,
    update: (now) => [{ $unset: 'live' }, set({ status: false, deletedAt: now, ...DELETED })],
  },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof MOVES;

/** What the database has to match for a move; says the same as `isFoundBy` and `isAllowed`. */
export function preconditionOf(move: MoveName): BlogFilter {
  const { precondition, reachesHidden } = MOVES[move];
  const ordinary = { status: true, ...precondition };
  return reachesHidden ? { $or: [ordinary, { live: { $exists: true } }] } : ordinary;
}

/** Whether the move's caller may learn of the blog at all: a deleted one does not exist. */
export function isFoundBy(move: MoveName, blog: StoredState): boolean {
  return blog.status === true || reachesHidden(move, blog);
}

/** Whether the move may start from the state of a blog that it finds. */
export function isAllowed(move: MoveName, blog: StoredState): boolean {
  const from: readonly BlogState[] = MOVES[move].from;
  return from.includes(stateOf(blog)) || reachesHidden(move, blog);
}

function reachesHidden(move: MoveName, { live }: StoredState): boolean {
  return MOVES[move].reachesHidden && live !== undefined;
}

/**
 * The whole update of a move: its event, its own stages, the edited fields, and what every write
 * does.
 *
 * @param changes only for `edit`; the values are bound as literals, whatever they look like
 */
export function updateOf(
  move: MoveName,
  now: Date,
  actor: Types.ObjectId,
  changes: WorkingCopyChanges = {},
): UpdateStage[] {
  const edits = Object.entries(changes).map(([field, value]) => [field, editOf(field, value)]);
  const edited = Object.fromEntries(edits) as Fields;
  return [
    appendEvent(move, { by: actor, at: now, to: MOVES[move].to }),
    ...MOVES[move].update(now),
    ...(edits.length > 0 ? [set(edited)] : []),
    set({
      slugs: {
        $cond: [
          { $eq: ['$status', false] },
          [],
          // An array around a missing path would hold null.
          { $setUnion: [['$slug'], [{ $ifNull: ['$live.slug', '$slug'] }]] },
        ],
      },
      rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] },
      updatedAt: now,
      updatedBy: actor,
    }),
  ];
}

function editOf(field: string, value: unknown): unknown {
  if (value === null) return '$$REMOVE';
  const literal = { $literal: value };
  if (field !== 'htmlVersion') return literal;
  // It speaks for `text` as well, which an edit does not clean.
  const older = { $min: [{ $ifNull: ['$htmlVersion', 0] }, literal] };
  return { $cond: [{ $gt: ['$text', null] }, older, literal] };
}
