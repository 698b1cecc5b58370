/** The flags that store the state of a blog (docs/adr/0003). */
export interface BlogFlags {
  readonly submitted: boolean;
  readonly drafted: boolean;
  readonly published: boolean;
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

export const BLOG_STATE_NAMES = Object.keys(BLOG_STATES) as readonly BlogState[];

/** The states of a live blog with edits. */
export const EDITED_STATES: readonly string[] = [
  'live with draft',
  'live in review',
] satisfies BlogState[];

/** The flags of a deleted blog, which is in no list but the trash. */
export const DELETED: BlogFlags = { submitted: false, drafted: false, published: false };

type Condition = readonly (readonly [flag: keyof BlogFlags, value: boolean])[];

/**
 * The flags by which a state is recognised. An older server also stored combinations of flags that
 * BLOG_STATES lacks. So `drafted` counts only for a live blog that is not in review, and every
 * combination has exactly one state. That server also left flags out or stored null, which means
 * false.
 */
function conditionOf(state: BlogState): Condition {
  const { submitted, drafted, published } = BLOG_STATES[state];
  const first: Condition = [
    ['submitted', submitted],
    ['published', published],
  ];
  return published && !submitted ? [...first, ['drafted', drafted]] : first;
}

export function stateOf(blog: BlogFlags): BlogState {
  const isIn = (state: BlogState) =>
    conditionOf(state).every(([flag, value]) => Boolean(blog[flag]) === value);
  // Every combination of flags meets one of the conditions.
  return BLOG_STATE_NAMES.find(isIn) as BlogState;
}

type FlagFilter = Partial<Record<keyof BlogFlags, true | { readonly $ne: true }>>;

/** The MongoDB filter for blogs whose `stateOf` is one of these states. */
export function stateFilter(states: readonly BlogState[]): { readonly $or: readonly FlagFilter[] } {
  const filters = states.map((state) =>
    conditionOf(state).map(([flag, value]) => [flag, value ? true : { $ne: true }]),
  );
  return { $or: filters.map((entries) => Object.fromEntries(entries) as FlagFilter) };
}

/** An aggregation expression for whether the record's `stateOf` is this state. */
export function stateCondition(state: BlogState): { readonly $and: readonly object[] } {
  return {
    $and: conditionOf(state).map(([flag, value]) => ({
      [value ? '$eq' : '$ne']: [`$${flag}`, true],
    })),
  };
}
