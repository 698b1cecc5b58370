import type { State } from '../../../support/factories.js';

/** The three users: ann is an author, ben an author and an editor, cleo an editor. */
export type Who = 'ann' | 'ben' | 'cleo';
export const AUTHORS = ['ann', 'ben'] as const satisfies readonly Who[];
export const EDITORS = ['ben', 'cleo'] as const satisfies readonly Who[];

/** What an author writes. Title and text contain the number. */
export interface Content {
  readonly number: number;
  readonly slug: string;
}

export interface ModelRevision {
  readonly rev: number;
  readonly move: string;
  readonly by: Who;
  readonly content: Content;
}

interface ScheduledTime {
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly by: Who;
}

export interface ModelBlog {
  readonly _id: string;
  author: Who;
  state: State | 'in trash' | 'purged';
  working: Content;
  live: Content | null;
  /** The slugs of earlier live versions. */
  former: readonly string[];
  rev: number;
  wasSubmitted: boolean;
  /** Whether editors saw the blog after its last transition. */
  isSeen: boolean;
  /** The revision number after the last transition before which editors saw the blog. */
  lastSeenRev: number;
  /** Who has written something since the last publication. */
  contributors: Who[];
  liveContributors: Who[];
  note: string | null;
  returned: { readonly note: string; readonly by: Who } | null;
  assigned: Who | null;
  publish: ScheduledTime | null;
  unpublish: ScheduledTime | null;
  revisions: ModelRevision[];
  /** The transitions of the blog, oldest first; `by` is null for the admin. */
  history: { readonly move: string; readonly by: Who | null; readonly rev: number }[];
}

/** All that the model knows: plain data, so that it can be copied. */
export interface World {
  readonly fourEyes: boolean;
  readonly revisionsKept: number;
  /** A name that no other run has. Every slug of this run ends with it. */
  readonly run: string;
  /** The time from which the hours of schedules count; Unix time in milliseconds. */
  readonly startedAt: number;
  readonly people: Readonly<Record<Who, { readonly _id: string; readonly name: string }>>;
  readonly blogs: ModelBlog[];
}

export const isInReview = ({ state }: ModelBlog): boolean => state.endsWith('in review');
export const isLive = ({ state }: ModelBlog): boolean => state.startsWith('live');
export const isDrafted = ({ state }: ModelBlog): boolean => state.endsWith('draft');
export const isSeenByEditors = (blog: ModelBlog): boolean => isInReview(blog) || isLive(blog);
export const isGone = ({ state }: ModelBlog): boolean => state === 'in trash' || state === 'purged';

/** Whether editors may read the revisions of the blog. */
export function isKnownToEditors(blog: ModelBlog): boolean {
  return !isGone(blog) && (isLive(blog) || blog.wasSubmitted);
}

/** What an editor sees of the blog: the submitted revision, or else the live version. */
export function editorContent(blog: ModelBlog): Content {
  return isInReview(blog) || !blog.live ? blog.working : blog.live;
}

/** The slugs that no other blog may get. */
export function slugsOf(blog: ModelBlog): readonly string[] {
  if (isGone(blog)) return [];
  return [blog.working.slug, ...(blog.live ? [blog.live.slug] : []), ...blog.former];
}

export function newBlog(_id: string, author: Who, working: Content): ModelBlog {
  return {
    _id,
    author,
    state: 'draft',
    working,
    live: null,
    rev: 1,
    wasSubmitted: false,
    isSeen: false,
    lastSeenRev: 0,
    former: [],
    contributors: [author],
    liveContributors: [],
    note: null,
    returned: null,
    assigned: null,
    publish: null,
    unpublish: null,
    revisions: [],
    history: [{ move: 'create', by: author, rev: 1 }],
  };
}
