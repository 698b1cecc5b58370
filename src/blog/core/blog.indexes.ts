import { Types, type Schema as MongooseSchema } from 'mongoose';

/** The lowest ObjectId: a range from it has every stored id. */
const FIRST_ID = new Types.ObjectId('0'.repeat(24));

/** Part of the filter for public blogs: every blog with a live version has `live.at`. */
export const HAS_LIVE = { 'live.at': { $gt: new Date(0) } };

/** Blogs with a scheduled transition. */
export const HAS_SCHEDULE = { dueAt: { $gt: new Date(0) } };

export const SCHEDULE_INDEX = { dueAt: 1, _id: 1 } as const;

/** The indexes by whoever has scheduled a transition, and the partial filters of these indexes. */
export const SCHEDULE_MAKERS = {
  publish: {
    index: { 'schedule.publish.by': 1 },
    filter: { 'schedule.publish.by': { $gte: FIRST_ID } },
  },
  unpublish: {
    index: { 'schedule.unpublish.by': 1 },
    filter: { 'schedule.unpublish.by': { $gte: FIRST_ID } },
  },
} as const;

/**
 * The filter of the indexes on the trash. Every blog with `trashedAt` is deleted: its `status` is
 * false.
 */
export const HAS_TRASH_TIME = { trashedAt: { $gt: new Date(0) } };

export const TRASH_INDEX = { trashedAt: 1, _id: 1 } as const;

/** Blogs that are being purged. */
export const IS_PURGING = { purging: true } as const;

const PUBLIC_KEYS = { status: 1, published: 1 } as const;
const NEWEST_KEYS = { 'live.at': -1, _id: -1 } as const;

// The keys of the indexes that public reads name as their hint:
export const SLUG_INDEX = { slugs: 1 } as const;
export const LATEST_INDEX = { ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;
export const AUTHOR_INDEX = { author: 1, ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;
/**
 * `live.words` has each word once, with its most important place, so that a search reads index keys
 * only.
 */
export const WORD_INDEX = { 'live.words': 1, ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;
export const TAG_INDEX = { 'live.tagKeys': 1, ...PUBLIC_KEYS, ...NEWEST_KEYS } as const;

/** Sorts the blog first that was changed last. */
export const LAST_CHANGED_FIRST = { updatedAt: -1, _id: -1 } as const;

/** Sorts the blog first that has waited longest for its review. */
export const OLDEST_SUBMITTED_FIRST = { submittedAt: 1, _id: 1 } as const;

/** The indexes of the lists that authors and editors read. */
export const EDITORIAL_INDEXES = {
  drafted: { author: 1, drafted: 1, ...LAST_CHANGED_FIRST },
  submitted: { author: 1, submitted: 1, ...LAST_CHANGED_FIRST },
  published: { author: 1, published: 1, ...LAST_CHANGED_FIRST },
  trash: { author: 1, trashedAt: -1, _id: -1 },
  allSubmitted: { submitted: 1, ...LAST_CHANGED_FIRST },
  oldestSubmitted: { submitted: 1, ...OLDEST_SUBMITTED_FIRST },
  assigned: { submitted: 1, assignedTo: 1, ...LAST_CHANGED_FIRST },
  oldestAssigned: { submitted: 1, assignedTo: 1, ...OLDEST_SUBMITTED_FIRST },
  allPublished: { published: 1, ...LAST_CHANGED_FIRST },
} as const;

/** Blogs, and tombstones, with events that the outbox relay has not carried to `blog_events` yet. */
export const HAS_EVENTS = { 'events.0.at': { $gt: new Date(0) } };

/** Indexes the oldest event only, so that a further event of the blog does not change the index. */
export const EVENTS_INDEX = { 'events.0.at': 1 } as const;

/** The filter of the index on changes of counts that are not folded into the records of the lists yet. */
const HAS_PUBLIC_CHANGES = { 'publicChanges.lists': { $gte: '' } };

export const PUBLIC_CHANGES_INDEX = { 'publicChanges.lists': 1 } as const;

/** The filter of TAG_INDEX. Every string is at least '', so MongoDB can use the index for any tag. */
const HAS_TAG = { 'live.tagKeys': { $gte: '' } };

/** The indexes that the counts of lists need, with their partial filters. */
export const COUNTING_INDEXES = [
  [PUBLIC_CHANGES_INDEX, HAS_PUBLIC_CHANGES],
  [LATEST_INDEX, HAS_LIVE],
  [AUTHOR_INDEX, HAS_LIVE],
  [TAG_INDEX, HAS_TAG],
] as const;

/** The indexes by the pictures that drafts use, and that articles show to readers: in their texts, and as covers. */
export const PICTURE_INDEXES = {
  draft: { pictures: { pictures: 1 }, 'cover.media': { 'cover.media': 1 } },
  live: {
    'live.pictures': { 'live.pictures': 1, ...PUBLIC_KEYS },
    'live.cover.media': { 'live.cover.media': 1, ...PUBLIC_KEYS },
  },
} as const;

/**
 * Adds the indexes of blogs to the schema. An index that a public read uses, except SLUG_INDEX, has the
 * flags of a public blog as keys, so that skips and counts read the index only.
 */
export function addBlogIndexes(schema: MongooseSchema): void {
  // Serves reads by slug, and makes slugs unique. `$gt: ''` leaves out missing, null and `[]`, so
  // deleted blogs do not conflict with each other.
  schema.index(SLUG_INDEX, { unique: true, partialFilterExpression: { slugs: { $gt: '' } } });
  // Serve the lists of the latest blogs, by author and by tag, find candidates for similar blogs, and find the changes
  // of the counts of these lists.
  for (const [index, partialFilterExpression] of COUNTING_INDEXES) {
    schema.index(index, { partialFilterExpression });
  }
  // Serves the search.
  schema.index(WORD_INDEX, { partialFilterExpression: { 'live.words': { $gte: '' } } });
  // Finds candidates for similar blogs by words of the title.
  schema.index(
    { 'live.titleWords': 1, ...PUBLIC_KEYS, ...NEWEST_KEYS },
    { partialFilterExpression: { 'live.titleWords': { $gte: '' } } },
  );
  // These indexes serve the lists of authors and editors. An index for a flag holds only the blogs
  // with that flag, with one exception.
  const IF_DRAFTED = { partialFilterExpression: { drafted: true } };
  const IF_SUBMITTED = { partialFilterExpression: { submitted: true } };
  const IF_PUBLISHED = { partialFilterExpression: { published: true } };
  schema.index(EDITORIAL_INDEXES.drafted, IF_DRAFTED);
  schema.index(EDITORIAL_INDEXES.submitted, IF_SUBMITTED);
  // The exception: this index has no filter, because it also finds the unpublished blogs of an author whose
  // account is deleted.
  schema.index(EDITORIAL_INDEXES.published);
  schema.index(EDITORIAL_INDEXES.trash, { partialFilterExpression: HAS_TRASH_TIME });
  schema.index(EDITORIAL_INDEXES.allSubmitted, IF_SUBMITTED);
  schema.index(EDITORIAL_INDEXES.oldestSubmitted, IF_SUBMITTED);
  schema.index(EDITORIAL_INDEXES.assigned, IF_SUBMITTED);
  schema.index(EDITORIAL_INDEXES.oldestAssigned, IF_SUBMITTED);
  schema.index(EDITORIAL_INDEXES.allPublished, IF_PUBLISHED);
  // Finds the scheduled transitions that are due, and serves the list of schedules.
  schema.index(SCHEDULE_INDEX, { partialFilterExpression: HAS_SCHEDULE });
  // Find what an editor has scheduled, and all who have scheduled something.
  for (const { index, filter } of Object.values(SCHEDULE_MAKERS)) {
    schema.index(index, { partialFilterExpression: filter });
  }
  // Finds the blogs whose time in the trash is over.
  schema.index(TRASH_INDEX, { partialFilterExpression: HAS_TRASH_TIME });
  // Finds the blogs to purge, of all authors or of one.
  schema.index({ purging: 1, author: 1 }, { partialFilterExpression: IS_PURGING });
  // Finds the assignments of an editor whose account is deleted.
  schema.index({ assignedTo: 1 }, { partialFilterExpression: { assignedTo: { $exists: true } } });
  // Find the blogs whose draft, or live version, uses a picture.
  const pictureIndexes = { ...PICTURE_INDEXES.draft, ...PICTURE_INDEXES.live };
  for (const [path, index] of Object.entries(pictureIndexes)) {
    schema.index(index, { partialFilterExpression: { [path]: { $exists: true } } });
  }
  // Serves the outbox relay, which reads events that are not in `blog_events` yet.
  schema.index(EVENTS_INDEX, { partialFilterExpression: HAS_EVENTS });
}
