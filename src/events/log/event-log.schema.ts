import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

interface EventDescription {
  readonly when: string;
  /** The members of `data`; those with a question mark may be missing. */
  readonly data: readonly string[];
}

const PUBLIC_DATA = ['_id', 'rev', 'slug', 'cacheTags'] as const;
const REVIEW_DATA = ['_id', 'rev'] as const;

/** Every type of event of the event log. docs/api.md lists them. */
export const EVENTS = {
  'blog.published': { when: 'an article has become live', data: PUBLIC_DATA },
  'blog.updated': {
    when: 'a live article has a new live version, or another author',
    data: ['_id', 'rev', 'slug', 'formerSlug?', 'cacheTags'],
  },
  'blog.unpublished': { when: 'a live article was taken down', data: PUBLIC_DATA },
  'blog.deleted': { when: 'a live article was deleted', data: PUBLIC_DATA },
  'blog.submitted': {
    when: 'an article, or the edits of a live article, wait for an editor',
    data: REVIEW_DATA,
  },
  'blog.returned': { when: 'an editor has returned the article', data: REVIEW_DATA },
  'blog.rescheduled': {
    when:
      'whoever scheduled it is no longer an enabled EDITOR: `publication_cleared`, or ' +
      '`unpublication_passed` to an ADMIN',
    data: ['_id', 'rev', 'change'],
  },
  'author.renamed': {
    when:
      'an author of live articles changed name or picture, or deleted the account; a profile no longer shows ' +
      'a picture of the library',
    data: ['_id', 'cacheTags'],
  },
} as const satisfies Record<string, EventDescription>;

/** What becomes of the schedule of an editor who has left. */
export const SCHEDULE_CHANGES = ['publication_cleared', 'unpublication_passed'] as const;

export type ScheduleChange = (typeof SCHEDULE_CHANGES)[number];

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/**
 * The `data` of an event, as clients get it. In `blog.submitted` and `blog.returned` it has only `_id` and `rev`.
 * In `blog.unpublished` and `blog.deleted` it has the slug and the cache tags that were public.
 */
export interface EventData {
  /** The id of the blog, or of the author. */
  readonly _id: string;
  /** The revision number of the blog after the transition. */
  readonly rev?: number;
  /** The live slug; for an article that was taken down, its last live slug. */
  readonly slug?: string;
  /** The live slug before the event, if the event has changed it. */
  readonly formerSlug?: string;
  /**
   * The values of `Cache-Tag` to purge from a CDN: those of the responses before the event and those
   * of the responses after it.
   */
  readonly cacheTags?: readonly string[];
  /** In `blog.rescheduled`: what has become of the schedule. */
  readonly change?: ScheduleChange;
}

/** An event that is not in the log yet. */
export interface NewEvent {
  /** Id of the event. It stays the same if the event is passed to the log more than once. */
  readonly id: string;
  readonly type: EventType;
  /** When the event happened. */
  readonly at: Date;
  readonly data: EventData;
}

const EventDataSchema = new MongooseSchema<EventData>(
  {
    _id: { type: String, required: true },
    rev: Number,
    slug: String,
    formerSlug: String,
    cacheTags: { type: [String], default: undefined },
    change: { type: String, enum: SCHEDULE_CHANGES },
  },
  { _id: false, strict: 'throw' },
);

/** An event in the log. */
@Schema({ collection: 'events', ...STRICT })
export class LoggedEvent implements NewEvent {
  /** Number of the event, `seq` in the API. The numbers have no gaps. */
  @Prop({ type: Number, required: true })
  readonly _id!: number;

  @Prop({ type: String, required: true })
  readonly id!: string;

  @Prop({ type: String, enum: EVENT_TYPES, required: true })
  readonly type!: EventType;

  @Prop({ type: Date, required: true })
  readonly at!: Date;

  @Prop({ type: EventDataSchema, required: true })
  readonly data!: EventData;

  /** When the event was added to the log. */
  @Prop({ type: Date, required: true })
  readonly loggedAt!: Date;
}

export const LoggedEventSchema = SchemaFactory.createForClass(LoggedEvent);

// Makes each event unique in the log.
LoggedEventSchema.index({ id: 1 }, { unique: true });
