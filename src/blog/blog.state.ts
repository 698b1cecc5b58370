import type { Types } from 'mongoose';
import { LIVE_COPY, type StoredLiveFields, type WorkingCopyChanges } from './blog-fields.js';
import type { BlogFilter, UpdateStage } from './blog.schema.js';
import { appendEvent, type Targets } from './events/event-stages.js';

/** The stored state: three booleans (docs/adr/0003). */
export interface BlogFlags {
  readonly submitted: boolean;
  readonly drafted: boolean;
  readonly published: boolean;
}

/** The fields that decide whether a move is allowed. */
export interface StoredState extends BlogFlags {
  /** False once deleted. */
  readonly status: boolean;
  /** The live version, if one is stored. */
  readonly live?: unknown;
}

/** The flags that this version stores for each state. */
export const BLOG_STATES = {
  draft: { submitted: false, drafted: true, published: false },
  'in review': { submitted: true, drafted: false, published: false },
  live: { submitted: false, drafted: false, published: true },
  'live with draft': { submitted: false, drafted: true, published: true },
  'live in review': { submitted: true, drafted: false, published: true },
} as const satisfies Record<string, BlogFlags>;

export type BlogState = keyof typeof BLOG_STATES;

/** Every combination of flags has a state: an older server stored others than those above. */
export function stateOf({ submitted, drafted, published }: BlogFlags): BlogState {
  if (submitted) return published ? 'live in review' : 'in review';
  if (published) return drafted ? 'live with draft' : 'live';
  return 'draft';
}

interface Move {
  /** The participle for the error message "blog cannot be …". */
  readonly participle: string;
  /** The states that allow the move. */
  readonly from: readonly BlogState[];
  /** For the event: the state after the move, by the state before it. States without entry stay. */
  readonly to: Targets;
  /** The condition of `from` as a MongoDB filter. */
  readonly precondition: BlogFilter;
  /**
   * Whether the move is also allowed for any blog with a stored live version. An operator may have
   * hidden a blog in the database by setting only `published` or `status`. Readers no longer see that
   * blog, but `live` is still stored; this move removes it.
   */
  readonly allowsHidden: boolean;
  /**
   * What the caller gets: the blog after the move, or the blog before it with these flags. An editor
   * who unpublishes a blog is shown what was live, not the author's unsubmitted draft.
   */
  readonly result: 'after' | ((before: StoredState) => BlogFlags);
  /**
   * Whether the move removes a blog whose author's account is deleted. Nobody could read such a blog
   * as a draft, and its slug would stay taken.
   */
  readonly removesIfAuthorDeleted: boolean;
  /** Whether the move may change what readers see. */
  readonly isPublic: boolean;
  /** The stages of the update that are specific to this move. */
  readonly update: (now: Date) => readonly UpdateStage[];
}

/** The flags of a deleted blog, which is in no list. */
export const DELETED: BlogFlags = { submitted: false, drafted: false, published: false };

type Fields = Extract<UpdateStage, { readonly $set: object }>['$set'];

const set = (fields: Fields): UpdateStage => ({ $set: fields });

/** An expression for each field of `live` but `at`: the path of that field below `prefix`. */
function copyFrom(prefix: '$' | '$live.'): Record<keyof StoredLiveFields, `$${string}`> {
  const paths = LIVE_COPY.map((field) => [field, `${prefix}${field}`]);
  return Object.fromEntries(paths) as ReturnType<typeof copyFrom>;
}

/** Default values for the entries of MOVES. */
const MOVE_DEFAULTS = {
  allowsHidden: false,
  result: 'after',
  removesIfAuthorDeleted: false,
  isPublic: false,
} as const;

/**
 * Every move of a blog. A move is one atomic conditional write: the precondition in its filter, the
 * update as a pipeline on the document that it matched.
 */
export const MOVES = {
  edit: {
    ...MOVE_DEFAULTS,
    participle: 'edited',
    from: ['draft', 'live', 'live with draft'],
    to: { live: 'live with draft' },
    precondition: { submitted: { $ne: true } },
    update: () => [set({ submitted: false, drafted: true })],
  },
  submit: {
    ...MOVE_DEFAULTS,
    participle: 'submitted',
    from: ['draft', 'live with draft'],
    to: { draft: 'in review', 'live with draft': 'live in review' },
    // A record of an older server without any flag is a draft as well.
    precondition: {
      submitted: { $ne: true },
      $or: [{ drafted: true }, { published: { $ne: true } }],
    },
    update: () => [set({ submitted: true, drafted: false })],
  },
  withdraw: {
    ...MOVE_DEFAULTS,
    participle: 'withdrawn',
    from: ['in review', 'live in review'],
    to: { 'in review': 'draft', 'live in review': 'live with draft' },
    precondition: { submitted: true },
    update: () => [set({ submitted: false, drafted: true })],
  },
  discard: {
    ...MOVE_DEFAULTS,
    participle: 'discarded',
    from: ['live with draft'],
    to: 'live',
    precondition: { submitted: { $ne: true }, published: true, drafted: true },
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
    ...MOVE_DEFAULTS,
    participle: 'published',
    from: ['in review', 'live in review'],
    to: 'live',
    precondition: { submitted: true },
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
    ...MOVE_DEFAULTS,
    participle: 'unpublished',
    from: ['live', 'live with draft', 'live in review'],
    to: {
      'in review': 'draft',
      live: 'draft',
      'live with draft': 'draft',
      'live in review': 'draft',
    },
    precondition: { published: true },
    allowsHidden: true,
    result: ({ status }) => (status === false ? DELETED : BLOG_STATES.draft),
    removesIfAuthorDeleted: true,
    isPublic: true,
    update: (now) => [
      { $unset: 'live' },
      set({
        ...BLOG_STATES.draft,
        // A blog with `status: false` is deleted, and does not become a draft.
        drafted: { $ne: ['$status', false] },
        deletedAt: {
          $cond: [{ $eq: ['$status', false] }, { $ifNull: ['$deletedAt', now] }, '$deletedAt'],
        },
      }),
    ],
  },
  delete: {
    ...MOVE_DEFAULTS,
    participle: 'deleted',
    from: ['draft', 'in review', 'live', 'live with draft', 'live in review'],
    to: 'deleted',
    precondition: {},
    allowsHidden: true,
    isPublic: true,
    update: (now) => [{ $unset: 'live' }, set({ status: false, deletedAt: now, ...DELETED })],
  },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof MOVES;

/** The filter for blogs that allow the move: those for which `isFoundBy` and `isAllowed` hold. */
export function preconditionOf(move: MoveName): BlogFilter {
  const { precondition, allowsHidden } = MOVES[move];
  const undeleted = { status: true, ...precondition };
  return allowsHidden ? { $or: [undeleted, { live: { $exists: true } }] } : undeleted;
}

/** Whether the move finds the blog. For most moves a deleted blog counts as not found. */
export function isFoundBy(move: MoveName, blog: StoredState): boolean {
  return blog.status === true || isAllowedAsHidden(move, blog);
}

/** Whether the state of a blog that the move finds allows the move. */
export function isAllowed(move: MoveName, blog: StoredState): boolean {
  const from: readonly BlogState[] = MOVES[move].from;
  return from.includes(stateOf(blog)) || isAllowedAsHidden(move, blog);
}

function isAllowedAsHidden(move: MoveName, { live }: StoredState): boolean {
  return MOVES[move].allowsHidden && live !== undefined;
}

/**
 * The update pipeline of a move: it appends the event, changes the state, stores the edited fields,
 * and sets what every write sets (slugs, revision, time, user).
 *
 * @param changes the edited fields, for `edit` only; null removes a field
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
          // `['$live.slug']` would be [null] for a blog without `live`.
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
  // Without $literal, MongoDB would read a text such as `$title` as a path.
  const literal = { $literal: value };
  if (field !== 'htmlVersion') return literal;
  // `htmlVersion` applies to `draftText` and to `text`. An edit cleans only `draftText`, so the older
  // version is kept if there is a `text`.
  const older = { $min: [{ $ifNull: ['$htmlVersion', 0] }, literal] };
  return { $cond: [{ $gt: ['$text', null] }, older, literal] };
}
