import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';
import {
  EVENT_TYPES,
  type EventType,
  type ScheduleChange,
} from '../../events/log/event-log.schema.js';
import { STRICT } from '../../platform/database/strict-schema.js';
import { BLOG_STATE_NAMES, type BlogState } from '../core/blog.state.js';

/** The state before or after an event: a state of a blog, or deleted. */
export type RecordState = BlogState | 'deleted';

/**
 * What an event records: a creation, an import, a transition (a row of TRANSITIONS), a purge, or a
 * change by a migration.
 */
export const BLOG_EVENT_NAMES = [
  'create',
  'import',
  'edit',
  'submit',
  'withdraw',
  'return',
  'correct',
  'assign',
  'schedule',
  'scheduleUnpublish',
  'unschedule',
  'clearPublication',
  'passUnpublication',
  'discard',
  'publish',
  'unpublish',
  'delete',
  'undelete',
  'handOver',
  'clearContributors',
  'purge',
  'migrate',
] as const;

export type BlogEventName = (typeof BLOG_EVENT_NAMES)[number];

/**
 * What an event of a blog adds to the event log; the history does not show it. It contains only
 * values of the blog that were or are public.
 */
export interface Announcement {
  /** The type of the event in the event log. Missing for an import by an earlier version, which adds nothing to it. */
  readonly type?: EventType;
  readonly slug?: string;
  readonly formerSlug?: string;
  /**
   * The authors before and after the transition; missing if the blog was public neither before nor
   * after it.
   */
  readonly authors?: readonly Types.ObjectId[];
  readonly tagKeys?: readonly string[];
  /** The pictures that the article showed before. */
  readonly pictures?: readonly Types.ObjectId[];
  /** What has become of the schedule. */
  readonly change?: ScheduleChange;
}

/** One event of a blog. The update that makes the change also appends the event to `events`. */
export interface BlogEvent {
  readonly move: BlogEventName;
  /**
   * The user who made the change; null for the server or its operator: a migration, an import, a
   * purge at the end of the time in the trash.
   */
  readonly by: Types.ObjectId | null;
  readonly at: Date;
  /** The state before the event; null for a creation or an import. */
  readonly from: RecordState | null;
  readonly to: RecordState;
  /**
   * The revision number before the event; 0 for a creation or an import, and for a record of an
   * older server.
   */
  readonly revBefore: number;
  /** The revision number after the event. */
  readonly rev: number;
  /**
   * What the author told the editors with a submission, or why an editor returned the blog. It goes when the
   * account of its writer is deleted, or what was never published of the blog is removed (see NoteStore).
   */
  readonly note?: string;
  /** What the outbox relay adds to the event log; `blog_events` does not keep it. */
  readonly announced?: Announcement;
}

const RECORD_STATES: readonly RecordState[] = [...BLOG_STATE_NAMES, 'deleted'];

const FIELDS = {
  move: { type: String, enum: BLOG_EVENT_NAMES, required: true },
  by: { type: SchemaTypes.ObjectId, default: null },
  at: { type: Date, required: true },
  from: { type: String, enum: RECORD_STATES, default: null },
  to: { type: String, enum: RECORD_STATES, required: true },
  revBefore: { type: Number, required: true },
  note: String,
} as const;

/** The transitions whose events may have a note. */
export const NOTED_TRANSITIONS: readonly BlogEventName[] = ['submit', 'return'];

export const HAS_NOTE = { note: { $exists: true } } as const;

/** An expression for the `events` of a blog without notes. @param of which events lose their note */
export function eventsWithoutNotes(of: object | true = true) {
  const stripped = { $unsetField: { field: 'note', input: '$$this' } };
  const events = { $map: { input: '$events', in: { $cond: [of, stripped, '$$this'] } } };
  return { $cond: [{ $isArray: '$events' }, events, '$$REMOVE'] } as const;
}

const AnnouncementSchema = new MongooseSchema<Announcement>(
  {
    type: { type: String, enum: EVENT_TYPES },
    slug: String,
    formerSlug: String,
    authors: { type: [SchemaTypes.ObjectId], default: undefined },
    tagKeys: { type: [String], default: undefined },
    pictures: { type: [SchemaTypes.ObjectId], default: undefined },
    change: String,
  },
  { _id: false, strict: 'throw' },
);

/** An element of `events` in a blog. */
export const BlogEventSchema = new MongooseSchema<BlogEvent>(
  { ...FIELDS, rev: { type: Number, required: true }, announced: AnnouncementSchema },
  { _id: false, strict: 'throw' },
);

/**
 * One event of a blog in `blog_events`, where the outbox relay stores it (docs/adr/0009). Its id is unique, so
 * storing the same event again fails. MongoDB compares ids field by field, so a range of ids selects
 * the history of one blog in order, without a further index.
 */
export interface StoredBlogEvent extends Omit<BlogEvent, 'rev' | 'announced'> {
  readonly _id: { readonly blog: Types.ObjectId; readonly rev: number };
}

/**
 * The filter for the stored events of one blog. Ids compare by `blog` first, then by `rev`.
 *
 * @param beforeRev only events with a lower revision number
 */
export function historyOf(blog: Types.ObjectId, beforeRev = Infinity) {
  return { _id: { $gte: { blog, rev: -Infinity }, $lt: { blog, rev: beforeRev } } } as const;
}

/** The name of the Mongoose model. */
export const STORED_BLOG_EVENT = 'StoredBlogEvent';

const IdSchema = new MongooseSchema<StoredBlogEvent['_id']>(
  { blog: { type: SchemaTypes.ObjectId, required: true }, rev: { type: Number, required: true } },
  { _id: false, strict: 'throw' },
);

export const StoredBlogEventSchema = new MongooseSchema<StoredBlogEvent>(
  { _id: { type: IdSchema, required: true }, ...FIELDS },
  { collection: 'blog_events', ...STRICT },
);

// Finds the notes of a user whose account is deleted.
StoredBlogEventSchema.index({ by: 1 }, { partialFilterExpression: HAS_NOTE });
