import type { Types } from 'mongoose';
import type { Blog, UpdateStage } from '../blog.schema.js';
import type { BlogEventName } from '../../history/blog-event.schema.js';
import { BLOG_STATES, DELETED, type BlogState } from '../blog.state.js';
import { copyFrom, formerAfter, literal, liveAsOf, publishedFields } from './live-version.js';
import type { Transition } from './transition.js';

type Fields = Extract<UpdateStage, { readonly $set: object }>['$set'];

const set = (fields: Fields): UpdateStage => ({ $set: fields });

/** Ends all previews: a preview is valid only for the generation that it was made with. */
const END_PREVIEWS = {
  previewGeneration: { $add: [{ $ifNull: ['$previewGeneration', 0] }, 1] },
} as const;

const ANY_STATE = Object.keys(BLOG_STATES) as readonly BlogState[];
const IN_REVIEW = ['in review', 'live in review'] as const;
const IS_LIVE = ['live', 'live with draft', 'live in review'] as const;
const BACK_TO_THE_AUTHOR = { 'in review': 'draft', 'live in review': 'live with draft' } as const;
const NOT_LIVE = {
  'in review': 'draft',
  live: 'draft',
  'live with draft': 'draft',
  'live in review': 'draft',
} as const;

/** Sets one time of the schedule, and who set it; keeps the other. */
const scheduled = (
  kind: keyof NonNullable<Blog['schedule']>,
  at: Date | undefined,
  by: Types.ObjectId,
): readonly UpdateStage[] =>
  at ? [set({ schedule: { $mergeObjects: ['$schedule', { [kind]: { at, by } }] } })] : [];

/** Default values for the rows of TRANSITIONS. */
const TRANSITION_DEFAULTS = {
  fromTrash: false,
  allowsHidden: false,
  result: 'after',
  removesIfAuthorDeleted: false,
  isPublic: false,
  keepsContent: false,
  isIndexed: false,
  keepsSchedule: false,
  touches: true,
  notBy: [],
} as const;

/**
 * Every transition of a blog. A transition is one atomic conditional write: the precondition in its filter, the
 * update as a pipeline on the document that it matched.
 */
export const TRANSITIONS = {
  edit: {
    ...TRANSITION_DEFAULTS,
    participle: 'edited',
    from: ['draft', 'live', 'live with draft'],
    to: { live: 'live with draft' },
    precondition: { submitted: { $ne: true } },
    update: () => [set({ submitted: false, drafted: true })],
  },
  submit: {
    ...TRANSITION_DEFAULTS,
    participle: 'submitted',
    from: ['draft', 'live with draft'],
    to: { draft: 'in review', 'live with draft': 'live in review' },
    // A record of an older server without any flag is a draft as well.
    precondition: {
      submitted: { $ne: true },
      $or: [{ drafted: true }, { published: { $ne: true } }],
    },
    keepsContent: true,
    update: ({ now, actor, details: { note } }) => [
      set({
        submitted: true,
        drafted: false,
        submittedAt: now,
        submitters: [actor],
        submissionNote: literal(note),
        returned: '$$REMOVE',
      }),
    ],
  },
  withdraw: {
    ...TRANSITION_DEFAULTS,
    participle: 'withdrawn',
    from: IN_REVIEW,
    to: BACK_TO_THE_AUTHOR,
    precondition: { submitted: true },
    update: () => [set({ submitted: false, drafted: true })],
  },
  return: {
    ...TRANSITION_DEFAULTS,
    participle: 'returned',
    from: IN_REVIEW,
    to: BACK_TO_THE_AUTHOR,
    precondition: { submitted: true },
    update: ({ now, actor, details: { note } }) => [
      // The whole object is a `literal`: it replaces the stored object instead of being merged with
      // it.
      set({ submitted: false, drafted: true, returned: literal({ note, by: actor, at: now }) }),
    ],
  },
  correct: {
    ...TRANSITION_DEFAULTS,
    participle: 'corrected',
    from: IN_REVIEW,
    to: {},
    precondition: { submitted: true },
    keepsContent: true,
    update: ({ actor }) => [
      set({ submitters: { $setUnion: [{ $ifNull: ['$submitters', []] }, [actor]] } }),
    ],
  },
  assign: {
    ...TRANSITION_DEFAULTS,
    participle: 'assigned',
    from: IN_REVIEW,
    to: {},
    precondition: { submitted: true },
    keepsSchedule: true,
    touches: false,
    update: ({ details: { editor } }) => [set({ assignedTo: literal(editor) })],
  },
  schedule: {
    ...TRANSITION_DEFAULTS,
    participle: 'scheduled for publication',
    from: IN_REVIEW,
    to: {},
    precondition: { submitted: true },
    keepsSchedule: true,
    touches: false,
    notBy: ['author', 'submitters'],
    update: ({ actor, details: { publishAt, unpublishAt } }) => [
      ...scheduled('publish', publishAt, actor),
      ...scheduled('unpublish', unpublishAt, actor),
    ],
  },
  scheduleUnpublish: {
    ...TRANSITION_DEFAULTS,
    participle: 'scheduled to be unpublished',
    from: IS_LIVE,
    to: {},
    precondition: { published: true },
    keepsSchedule: true,
    touches: false,
    notBy: ['author', 'liveSubmitters'],
    update: ({ actor, details: { unpublishAt } }) => scheduled('unpublish', unpublishAt, actor),
  },
  unschedule: {
    ...TRANSITION_DEFAULTS,
    participle: 'unscheduled',
    from: ['in review', ...IS_LIVE],
    to: {},
    precondition: { $or: [{ submitted: true }, { published: true }] },
    touches: false,
    update: () => [set({ schedule: '$$REMOVE' })],
  },
  discard: {
    ...TRANSITION_DEFAULTS,
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
    ...TRANSITION_DEFAULTS,
    participle: 'published',
    from: IN_REVIEW,
    to: 'live',
    precondition: { submitted: true },
    isPublic: true,
    isIndexed: true,
    notBy: ['author', 'submitters'],
    update: ({ now, details: { words } }) => [
      set({
        ...publishedFields(now, words),
        liveSubmitters: '$submitters',
        assignedTo: '$$REMOVE',
        submissionNote: '$$REMOVE',
        ...BLOG_STATES.live,
      }),
    ],
  },
  unpublish: {
    ...TRANSITION_DEFAULTS,
    participle: 'unpublished',
    from: IS_LIVE,
    to: NOT_LIVE,
    precondition: { published: true },
    allowsHidden: true,
    result: ({ status }) => (status === false ? DELETED : BLOG_STATES.draft),
    removesIfAuthorDeleted: true,
    isPublic: true,
    notBy: ['author', 'liveSubmitters'],
    update: ({ now }) => [
      set({ formerSlugs: formerAfter.unpublish }),
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
    ...TRANSITION_DEFAULTS,
    participle: 'deleted',
    from: ANY_STATE,
    to: 'deleted',
    precondition: {},
    allowsHidden: true,
    isPublic: true,
    notBy: 'published',
    update: ({ now }) => [
      { $unset: 'live' },
      { $unset: 'formerSlugs' },
      set({ status: false, deletedAt: now, trashedAt: now, ...DELETED, ...END_PREVIEWS }),
    ],
  },
  undelete: {
    ...TRANSITION_DEFAULTS,
    participle: 'restored from the trash',
    from: [],
    to: 'draft',
    precondition: {},
    fromTrash: true,
    update: () => [
      set({ status: true, deletedAt: '$$REMOVE', trashedAt: '$$REMOVE', ...BLOG_STATES.draft }),
    ],
  },
  handOver: {
    ...TRANSITION_DEFAULTS,
    participle: 'handed over',
    from: ANY_STATE,
    to: {},
    precondition: {},
    isPublic: true,
    update: ({ now, details: { newAuthor } }) => [
      set({
        author: newAuthor ?? '$author',
        authorLeft: '$$REMOVE',
        // The live version changes as well: readers see another author.
        live: liveAsOf(now),
        ...END_PREVIEWS,
      }),
    ],
  },
} as const satisfies Partial<Record<BlogEventName, Transition>>;

export type TransitionName = keyof typeof TRANSITIONS;

/** The row of a transition, with the default values filled in. */
export function transitionOf(name: TransitionName): Transition {
  return TRANSITIONS[name];
}
