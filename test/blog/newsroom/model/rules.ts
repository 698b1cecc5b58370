import type { State } from '../../../support/factories.js';
import {
  isGone,
  isLive,
  isSeenByEditors,
  slugsOf,
  type Content,
  type ModelBlog,
  type Who,
  type World,
} from './world.js';

/** The answer that a request must get. */
export interface Outcome {
  readonly status: number;
  /** The message of a refusal. */
  readonly message?: string;
  /** Members of `data`; undefined for a member that must be missing. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The revision number in the ETag. */
  readonly rev?: number;
}

export const refusal = (status: number, message: string): Outcome => ({ status, message });
export const NOT_FOUND = refusal(404, 'blog not found');
export const STALE = refusal(
  412,
  'the blog has changed since you read it: read it again and repeat your change',
);

/** A transition that a user tries to make. */
interface Attempt {
  readonly blog: ModelBlog;
  readonly by: Who;
  /** The revision number in `If-Match`; null without this header. */
  readonly ifMatch: number | null;
}

const ALL_STATES = ['draft', 'in review', 'live', 'live with draft', 'live in review'] as const;
const REVIEW_STATES = ['in review', 'live in review'] as const;
const LIVE_STATES = ['live', 'live with draft', 'live in review'] as const;

type Users = readonly Who[];
const nobody = (): Users => [];
const contributors = (blog: ModelBlog): Users => [blog.author, ...blog.contributors];
const liveContributors = (blog: ModelBlog): Users => [blog.author, ...blog.liveContributors];
const anyoneIfLive = (blog: ModelBlog): Users => (isLive(blog) ? ['ann', 'ben', 'cleo'] : []);

interface Rule {
  readonly from: readonly State[];
  readonly participle: string;
  /** The users who may not make the transition with FOUR_EYES=on. */
  readonly notBy: (blog: ModelBlog) => Users;
  /** Whether the transition keeps a scheduled publication. */
  readonly keepsPublication: boolean;
}

const rule = (
  participle: string,
  from: readonly State[],
  { notBy = nobody, keepsPublication = false }: Partial<Rule> = {},
): Rule => ({ participle, from, notBy, keepsPublication });

const RULES = {
  edit: rule('edited', ['draft', 'live', 'live with draft'], { keepsPublication: true }),
  submit: rule('submitted', ['draft', 'live with draft']),
  withdraw: rule('withdrawn', REVIEW_STATES),
  discard: rule('discarded', ['live with draft']),
  delete: rule('deleted', ALL_STATES, { notBy: anyoneIfLive }),
  return: rule('returned', REVIEW_STATES),
  correct: rule('corrected', REVIEW_STATES),
  assign: rule('assigned', REVIEW_STATES, { keepsPublication: true }),
  schedule: rule('scheduled for publication', REVIEW_STATES, {
    notBy: contributors,
    keepsPublication: true,
  }),
  scheduleUnpublish: rule('scheduled to be unpublished', LIVE_STATES, {
    notBy: liveContributors,
    keepsPublication: true,
  }),
  unschedule: rule('unscheduled', ['in review', ...LIVE_STATES]),
  publish: rule('published', REVIEW_STATES, { notBy: contributors }),
  unpublish: rule('unpublished', LIVE_STATES, { notBy: liveContributors }),
  handOver: rule('handed over', ALL_STATES),
} as const;

export type RuleName = keyof typeof RULES;

export function isStale({ blog, ifMatch }: Pick<Attempt, 'blog' | 'ifMatch'>): boolean {
  return ifMatch !== null && ifMatch !== blog.rev;
}

/** The refusal of a transition of a blog that the user may see; null if it is allowed. */
export function refusalOf(
  { fourEyes }: World,
  name: RuleName,
  { blog, by, ifMatch }: Attempt,
): Outcome | null {
  const { from, participle, notBy } = RULES[name];
  if (isGone(blog)) return NOT_FOUND;
  if (isStale({ blog, ifMatch })) return STALE;
  if (!(from as readonly string[]).includes(blog.state)) {
    if (name === 'edit') return refusal(400, 'blog is under review: withdraw it first');
    return refusal(
      400,
      `blog cannot be ${participle}: it is ${blog.state}${adviceFor(name, blog)}`,
    );
  }
  if (!fourEyes || !notBy(blog).includes(by)) return null;
  return refusal(
    400,
    name === 'delete'
      ? 'blog is live: another editor unpublishes it first'
      : `blog cannot be ${participle} by its author or a contributor: another editor does it`,
  );
}

function adviceFor(name: RuleName, { state }: ModelBlog): string {
  if (name === 'submit' && state === 'live') {
    return ' without edits, so there is nothing to submit';
  }
  const isUnsubmitted = state === 'draft' || state === 'live with draft';
  return isUnsubmitted && (name === 'publish' || name === 'schedule') ? '; submit it first' : '';
}

/** Records a transition, and clears the schedule that it ends. Call it after all other changes. */
export function noteTransition(
  blog: ModelBlog,
  transition: RuleName | 'undelete',
  by: Who | null,
): void {
  blog.rev += 1;
  blog.history.push({ move: transition, by, rev: blog.rev });
  if (blog.isSeen) blog.lastSeenRev = blog.rev;
  blog.isSeen = isSeenByEditors(blog);
  if (transition === 'undelete' || !RULES[transition].keepsPublication) blog.publish = null;
  if (!isLive(blog) && !blog.publish) blog.unpublish = null;
}

/** Adds the working copy as a revision. Keeps only the newest revisions, and the first and the last publication. */
export function addRevision(
  { revisionsKept }: World,
  blog: ModelBlog,
  transition: string,
  by: Who,
): void {
  const all = [...blog.revisions, { rev: blog.rev, move: transition, by, content: blog.working }];
  const published = all.filter((revision) => revision.move === 'publish');
  const kept = new Set([...all.slice(-revisionsKept), published[0], published.at(-1)]);
  blog.revisions = all.filter((revision) => kept.has(revision));
}

/** The refusal of a slug that another blog has; null if none has it. */
export function slugRefusal(
  { blogs }: World,
  blog: ModelBlog | null,
  { slug }: Content,
): Outcome | null {
  const isTaken = blogs.some((other) => other !== blog && slugsOf(other).includes(slug));
  return isTaken ? refusal(400, `blog with slug: ${slug} already exists`) : null;
}

export const isSameContent = (one: Content, other: Content | null): boolean =>
  one.number === other?.number && one.slug === other.slug;

/** Makes the blog a draft. A live blog stays live, with draft if its working copy differs from what is live. */
export function makeDraft(blog: ModelBlog): void {
  if (!isLive(blog)) blog.state = 'draft';
  else blog.state = isSameContent(blog.working, blog.live) ? 'live' : 'live with draft';
}

export function publish(world: World, blog: ModelBlog, by: Who): void {
  const { working } = blog;
  const former = formerSlugs(blog).filter((slug) => slug !== working.slug);
  Object.assign(blog, {
    state: 'live',
    live: working,
    former,
    liveContributors: blog.contributors,
  });
  Object.assign(blog, { contributors: [], assigned: null, note: null });
  noteTransition(blog, 'publish', by);
  addRevision(world, blog, 'publish', by);
}

/** Adds users to the contributors of the working copy. */
export function contribute(blog: ModelBlog, ...users: Users): void {
  blog.contributors = [...new Set([...blog.contributors, ...users])];
}

export function unpublish(blog: ModelBlog, by: Who): void {
  contribute(blog, ...blog.liveContributors);
  Object.assign(blog, { state: 'draft', live: null, former: formerSlugs(blog) });
  noteTransition(blog, 'unpublish', by);
}

/** Makes the scheduled transitions whose time has come, in their order. */
export function makeScheduled(
  world: World,
  blog: ModelBlog,
  due: readonly ScheduledTransition[],
): void {
  for (const name of due) {
    const scheduled = blog[name];
    if (!scheduled) return;
    const { by } = scheduled;
    if (refusalOf(world, name, { blog, by, ifMatch: null })) {
      // A refused transition ends the schedule.
      blog.publish = null;
      blog.unpublish = null;
      noteTransition(blog, 'unschedule', by);
    } else if (name === 'publish') {
      publish(world, blog, by);
    } else {
      unpublish(blog, by);
    }
  }
}

export type ScheduledTransition = 'publish' | 'unpublish';

/** The former slugs of the blog once its live version is replaced or taken down. */
function formerSlugs({ live, former }: ModelBlog): readonly string[] {
  return [...new Set([...(live ? [live.slug] : []), ...former])];
}
