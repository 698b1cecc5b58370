import {
  CLEARED_CONTRIBUTORS,
  contributorsAfter,
  SUBMITTERS,
} from '../../contributors/contributors.js';
import type { BlogEventName } from '../../history/blog-event.schema.js';
import type { UpdateStage } from '../blog.schema.js';
import { BLOG_STATE_NAMES, BLOG_STATES, DELETED } from '../blog.state.js';
import {
  copyFrom,
  IS_UNEDITED,
  literal,
  liveAsOf,
  publishedFields,
  takenDown,
} from './live-version.js';
import { clearPublication, passUnpublication, setTimes } from './schedule-stages.js';
import { BOOKKEEPING_DEFAULTS, TRANSITION_DEFAULTS, type Transition } from './transition.js';

type Fields = Extract<UpdateStage, { readonly $set: object }>['$set'];

const set = (fields: Fields): UpdateStage => ({ $set: fields });

/** Ends all previews: a preview is valid only for the generation that it was made with. */
const END_PREVIEWS = {
  previewGeneration: { $add: [{ $ifNull: ['$previewGeneration', 0] }, 1] },
} as const;

/** Whether the blog is a draft, or live with edits. */
const HAS_EDITS = { $not: [{ $and: [{ $eq: ['$published', true] }, IS_UNEDITED] }] } as const;

/** A draft, or a live blog with draft if there are edits. */
const BACK_TO_DRAFT = { submitted: false, drafted: HAS_EDITS } as const;

const IN_REVIEW = ['in review', 'live in review'] as const;
const LIVE_STATES = ['live', 'live with draft', 'live in review'] as const;
const BACK_TO_THE_AUTHOR = { 'in review': 'draft', 'live in review': 'live with draft' } as const;
const TO_DRAFT = {
  'in review': 'draft',
  live: 'draft',
  'live with draft': 'draft',
  'live in review': 'draft',
} as const;

/**
 * Every transition of a blog. A transition is one atomic conditional write: a filter made from
 * `from`, and an update pipeline on the matched document.
 */
export const TRANSITIONS = {
  edit: {
    ...TRANSITION_DEFAULTS,
    participle: 'edited',
    from: ['draft', 'live', 'live with draft'],
    to: { live: 'live with draft' },
    endsWithoutEdits: true,
    withoutChange: 'skipped if live',
    keepsSchedule: true,
    update: ({ actor, details: { writers = [] } }) => [
      set({ ...BACK_TO_DRAFT, contributors: contributorsAfter.writing([actor, ...writers]) }),
    ],
  },
  submit: {
    ...TRANSITION_DEFAULTS,
    participle: 'submitted',
    from: ['draft', 'live with draft'],
    to: { draft: 'in review', 'live with draft': 'live in review' },
    needsEdits: true,
    revision: 'of new content',
    update: ({ now, actor, details: { note } }) => [
      set({
        submitted: true,
        drafted: false,
        submittedAt: now,
        contributors: contributorsAfter.writing([actor]),
        submissionNote: literal(note),
        returned: '$$REMOVE',
      }),
      set({ submitters: '$contributors' }),
    ],
  },
  withdraw: {
    ...TRANSITION_DEFAULTS,
    participle: 'withdrawn',
    from: IN_REVIEW,
    to: BACK_TO_THE_AUTHOR,
    endsWithoutEdits: true,
    update: () => [set(BACK_TO_DRAFT)],
  },
  return: {
    ...TRANSITION_DEFAULTS,
    participle: 'returned',
    from: IN_REVIEW,
    to: BACK_TO_THE_AUTHOR,
    endsWithoutEdits: true,
    update: ({ now, actor, details: { note } }) => [
      // The whole object is a `literal`: it replaces the stored object instead of being merged with
      // it.
      set({ ...BACK_TO_DRAFT, returned: literal({ note, by: actor, at: now }) }),
    ],
  },
  correct: {
    ...TRANSITION_DEFAULTS,
    participle: 'corrected',
    from: IN_REVIEW,
    to: {},
    endsWithoutEdits: true,
    withoutChange: 'skipped',
    revision: 'of new content',
    update: ({ actor }) => [
      set({ submitted: HAS_EDITS, contributors: contributorsAfter.writing([actor]) }),
      set({ submitters: SUBMITTERS }),
    ],
  },
  assign: {
    ...BOOKKEEPING_DEFAULTS,
    participle: 'assigned',
    from: IN_REVIEW,
    update: ({ details: { editor } }) => [set({ assignedTo: literal(editor) })],
  },
  schedule: {
    ...BOOKKEEPING_DEFAULTS,
    participle: 'scheduled for publication',
    from: IN_REVIEW,
    notBy: 'contributors',
    update: ({ actor, details }) => setTimes(details, actor),
  },
  scheduleUnpublish: {
    ...BOOKKEEPING_DEFAULTS,
    participle: 'scheduled to be unpublished',
    from: LIVE_STATES,
    notBy: 'live contributors',
    update: ({ actor, details }) => setTimes(details, actor),
  },
  unschedule: {
    ...TRANSITION_DEFAULTS,
    participle: 'unscheduled',
    from: ['in review', ...LIVE_STATES],
    to: {},
    endsTimes: ['publish', 'unpublish'],
    touches: false,
    update: () => [set({ schedule: '$$REMOVE' })],
  },
  clearPublication: {
    ...BOOKKEEPING_DEFAULTS,
    participle: 'kept from its scheduled publication',
    from: IN_REVIEW,
    update: clearPublication,
  },
  passUnpublication: {
    ...BOOKKEEPING_DEFAULTS,
    participle: 'passed on',
    from: ['in review', ...LIVE_STATES],
    update: ({ actor }) => [passUnpublication(actor)],
  },
  discard: {
    ...TRANSITION_DEFAULTS,
    participle: 'discarded',
    from: ['live with draft'],
    to: 'live',
    update: () => [
      set({
        // An optional field that is missing in `live` becomes missing in the working copy as well.
        ...copyFrom('$live.'),
        draftText: '$text',
        draftMarkdown: '$$REMOVE',
        markdownDigest: '$$REMOVE',
        ...BLOG_STATES.live,
      }),
    ],
  },
  publish: {
    ...TRANSITION_DEFAULTS,
    participle: 'published',
    from: IN_REVIEW,
    endsTimes: ['publish'],
    to: 'live',
    isPublic: true,
    revision: 'of submitted content',
    isIndexed: true,
    notBy: 'contributors',
    update: ({ now, details: { words } }) => [
      set({
        ...publishedFields(now, words),
        liveSubmitters: SUBMITTERS,
        contributors: [],
        assignedTo: '$$REMOVE',
        submissionNote: '$$REMOVE',
        ...BLOG_STATES.live,
      }),
    ],
  },
  unpublish: {
    ...TRANSITION_DEFAULTS,
    participle: 'unpublished',
    from: LIVE_STATES,
    endsTimes: ['unpublish'],
    to: TO_DRAFT,
    allowsHidden: true,
    result: ({ status }) => (status === false ? DELETED : BLOG_STATES.draft),
    removesIfAuthorDeleted: true,
    isPublic: true,
    notBy: 'live contributors',
    update: ({ now }) => takenDown(now),
  },
  delete: {
    ...TRANSITION_DEFAULTS,
    participle: 'deleted',
    from: BLOG_STATE_NAMES,
    endsTimes: ['publish', 'unpublish'],
    to: 'deleted',
    allowsHidden: true,
    isPublic: true,
    notBy: 'anyone while live',
    update: ({ now }) => [
      { $unset: 'live' },
      { $unset: 'formerSlugs' },
      set({
        status: false,
        deletedAt: now,
        trashedAt: now,
        contributors: { $cond: ['$published', contributorsAfter.takedown, '$contributors'] },
        ...DELETED,
        ...END_PREVIEWS,
      }),
    ],
  },
  undelete: {
    ...TRANSITION_DEFAULTS,
    participle: 'restored from the trash',
    from: [],
    to: 'draft',
    fromTrash: true,
    update: () => [
      set({ status: true, deletedAt: '$$REMOVE', trashedAt: '$$REMOVE', ...BLOG_STATES.draft }),
    ],
  },
  handOver: {
    ...TRANSITION_DEFAULTS,
    participle: 'handed over',
    from: BLOG_STATE_NAMES,
    to: {},
    isPublic: true,
    update: ({ now, details: { newAuthor } }) => [
      set({
        author: newAuthor ?? '$author',
        contributors: contributorsAfter.handOver,
        authorLeft: '$$REMOVE',
        // The live version changes as well: readers see another author.
        live: liveAsOf(now),
        ...END_PREVIEWS,
      }),
    ],
  },
  clearContributors: {
    ...BOOKKEEPING_DEFAULTS,
    participle: 'cleared of its contributors',
    from: BLOG_STATE_NAMES,
    update: () => [set(CLEARED_CONTRIBUTORS)],
  },
} as const satisfies Partial<Record<BlogEventName, Transition>>;

export type TransitionName = keyof typeof TRANSITIONS;

/** The row of a transition, with the default values filled in. */
export function transitionOf(name: TransitionName): Transition {
  return TRANSITIONS[name];
}
