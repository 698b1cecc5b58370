import type { Types } from 'mongoose';
import { blogCacheTag, listCacheTags } from '../public/lists/cache-tags.js';
import { mediaCacheTag } from '../media/serving/media-cache-tag.js';
import type { EventType, NewEvent, ScheduleChange } from '../../events/log/event-log.schema.js';
import type { TransitionDetails } from '../core/transitions/transition.js';
import type { BlogEvent, BlogEventName } from './blog-event.schema.js';

type Expression = Record<string, unknown>;

/** Returns an expression for the announcement of a transition, evaluated on the blog before it. */
type Announcer = (details: TransitionDetails) => Expression;

const HAS_LIVE_VERSION = { $gt: ['$live', null] };

/**
 * Whether readers see the blog. The field `live` alone is not enough: an operator may have set only
 * `published` or `status` to hide the blog.
 */
const IS_SHOWN_TO_READERS = {
  $and: [HAS_LIVE_VERSION, { $eq: ['$published', true] }, { $eq: ['$status', true] }],
};

const LIVE_TAG_KEYS = { $ifNull: ['$live.tagKeys', []] };

/** The pictures that readers have seen until now: a CDN may have them. */
const LIVE_PICTURES = {
  $let: {
    vars: {
      pictures: {
        $setUnion: [
          { $ifNull: ['$live.pictures', []] },
          {
            $cond: [
              { $gt: ['$live.cover.media', null] },
              [{ $toObjectId: '$live.cover.media' }],
              [],
            ],
          },
        ],
      },
    },
    in: { $cond: [{ $eq: ['$$pictures', []] }, '$$REMOVE', '$$pictures'] },
  },
};

/** Announces only the type of the event, without slug, authors and tags. */
const typeOnly =
  (type: EventType): Announcer =>
  () => ({ type });

const rescheduled =
  (change: ScheduleChange): Announcer =>
  () => ({ type: 'blog.rescheduled' satisfies EventType, change });

/** Announces that a blog is gone, even if an operator had hidden it before: a CDN may still have it. */
const takenDown =
  (type: EventType): Announcer =>
  () => ({
    $cond: [
      HAS_LIVE_VERSION,
      {
        type,
        slug: '$live.slug',
        authors: ['$author'],
        tagKeys: LIVE_TAG_KEYS,
        pictures: LIVE_PICTURES,
      },
      '$$REMOVE',
    ],
  });

/** The announcement of each kind of event; null for an event that clients must not hear of. */
const ANNOUNCERS: Readonly<Record<BlogEventName, Announcer | null>> = {
  create: null,
  // An import is not announced to clients: it is no news, and may have thousands of articles.
  import: null,
  edit: null,
  submit: typeOnly('blog.submitted'),
  withdraw: null,
  return: typeOnly('blog.returned'),
  correct: null,
  assign: null,
  schedule: null,
  scheduleUnpublish: null,
  unschedule: null,
  clearPublication: rescheduled('publication_cleared'),
  passUnpublication: rescheduled('unpublication_passed'),
  discard: null,
  publish: () => ({
    type: { $cond: [IS_SHOWN_TO_READERS, 'blog.updated', 'blog.published'] },
    slug: '$slug',
    formerSlug: {
      $cond: [
        { $and: [IS_SHOWN_TO_READERS, { $ne: ['$live.slug', '$slug'] }] },
        '$live.slug',
        '$$REMOVE',
      ],
    },
    authors: ['$author'],
    tagKeys: { $setUnion: [LIVE_TAG_KEYS, { $ifNull: ['$tagKeys', []] }] },
    pictures: LIVE_PICTURES,
  }),
  unpublish: takenDown('blog.unpublished'),
  delete: takenDown('blog.deleted'),
  undelete: null,
  // A handover is announced because readers see another author.
  handOver: ({ newAuthor }) => ({
    $cond: [
      IS_SHOWN_TO_READERS,
      {
        type: 'blog.updated',
        slug: '$live.slug',
        authors: ['$author', newAuthor ?? '$author'],
        tagKeys: LIVE_TAG_KEYS,
      },
      '$$REMOVE',
    ],
  }),
  clearContributors: null,
  // Announces nothing for a deleted blog, because it has no `live`. A blog that an operator has hidden
  // may still have it.
  purge: takenDown('blog.deleted'),
  migrate: null,
};

/** Whether events of this kind are added to the event log. */
export function isAnnounced(name: BlogEventName): boolean {
  return ANNOUNCERS[name] !== null;
}

/** The field `announced` of an event, as an expression on the blog before the transition. */
export function announcedField(
  name: BlogEventName,
  details: TransitionDetails,
): { readonly announced?: Expression } {
  const announcer = ANNOUNCERS[name];
  return announcer ? { announced: announcer(details) } : {};
}

/** @returns what an event of a blog adds to the event log: nothing, or one event */
export function toNewEvents(
  blog: Types.ObjectId,
  { at, rev, announced }: Pick<BlogEvent, 'at' | 'rev' | 'announced'>,
): NewEvent[] {
  if (!announced?.type) return [];
  const { type, slug, formerSlug, authors, tagKeys = [], pictures = [], change } = announced;
  const cacheTags = authors && [
    blogCacheTag(blog),
    ...listCacheTags(authors, tagKeys),
    ...pictures.map(mediaCacheTag),
  ];
  const data = {
    _id: blog.toHexString(),
    rev,
    ...(slug === undefined ? {} : { slug }),
    ...(formerSlug === undefined ? {} : { formerSlug }),
    ...(cacheTags ? { cacheTags } : {}),
    ...(change === undefined ? {} : { change }),
  };
  return [{ id: `evt_${blog.toHexString()}_${rev}`, type, at, data }];
}
