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

/** Every combination of flags has a state: an older server stored others than those above. */
export function stateOf({ submitted, drafted, published }: BlogFlags): BlogState {
  if (submitted) return published ? 'live in review' : 'in review';
  if (published) return drafted ? 'live with draft' : 'live';
  return 'draft';
}

/** The flags of a deleted blog, which is in no list. */
export const DELETED: BlogFlags = { submitted: false, drafted: false, published: false };
